// Takes away the vectors of a coming embedding model: after they were put in use, or because it does not come after all.
// Parameters: none
CYPHER 25
MATCH (n:Turn|Alias|Event|Fact|Property|Summary) WHERE n.embedding_next IS NOT NULL
CALL (n) {
  REMOVE n.embedding_next
} IN TRANSACTIONS OF 500 ROWS
