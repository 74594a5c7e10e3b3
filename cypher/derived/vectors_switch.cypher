// Puts the vectors of the coming embedding model in the place of those in use. May be run again after it was stopped.
// Parameters: none
CYPHER 25
MATCH (n:Turn|Alias|Event|Fact|Property|Summary) WHERE n.embedding_next IS NOT NULL
CALL (n) {
  SET n.embedding = n.embedding_next
} IN TRANSACTIONS OF 500 ROWS
