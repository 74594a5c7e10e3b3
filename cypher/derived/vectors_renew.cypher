// Stores vectors of the coming embedding model beside those in use, which stay.
// Parameters: $rows (a list of maps with element, id and embedding)
CYPHER 25
UNWIND $rows AS row
MATCH (n) WHERE elementId(n) = row.element AND n.id = row.id
SET n.embedding_next = row.embedding
