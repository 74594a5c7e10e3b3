// The schema version and the embedding model that this database was written with. No row in a new database.
// Parameters: none
CYPHER 25
MATCH (m:Meta {id: 'meta'})
RETURN m.schema_version AS schema_version, m.embedding_model AS embedding_model, m.dimensions AS dimensions, m.analyzer AS analyzer
