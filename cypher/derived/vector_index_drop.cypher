// Takes away a vector index, to be made anew for vectors of another length.
// Parameters: $name
CYPHER 25
DROP INDEX $name IF EXISTS
