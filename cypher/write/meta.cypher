// Writes down, once, what this database is written with. Returns what holds: the earlier writing where there was one.
// Parameters: $schema_version, $embedding_model, $dimensions, $analyzer, $now
CYPHER 25
MERGE (m:Meta {id: 'meta'})
  ON CREATE SET m.schema_version = $schema_version, m.embedding_model = $embedding_model, m.dimensions = $dimensions,
                m.analyzer = $analyzer, m.created_at = $now
RETURN m.schema_version AS schema_version, m.embedding_model AS embedding_model, m.dimensions AS dimensions, m.analyzer AS analyzer
