// Whether this extraction was appended.
// Parameters: $id
CYPHER 25
MATCH (x:Extraction {id: $id})
RETURN x.id AS id
