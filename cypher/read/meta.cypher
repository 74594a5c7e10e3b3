// The schema version and the embedding model that this database was written with, and the one that it is being moved to, if any. No row in
// a new database.
// Parameters: none
CYPHER 25
MATCH (m:Meta {id: 'meta'})
RETURN m.schema_version AS schema_version, m.embedding_model AS embedding_model, m.dimensions AS dimensions, m.analyzer AS analyzer,
       m.next_model AS next_model, m.next_dimensions AS next_dimensions, m.switching IS NOT NULL AS switching
