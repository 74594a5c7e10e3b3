// The sessions of a namespace with their turns as they stand now, revised ones left out, for reading them again.
// Parameters: $namespace, $sources (the sources' own identifiers of sessions, [] for all)
CYPHER 25
MATCH (s:Session)
WHERE s.namespace = $namespace AND s.started_at IS NOT NULL AND (size($sources) = 0 OR s.source_id IN $sources)
RETURN s.id AS id, s.source_id AS source_id, s.source AS source, s.title AS title, s.started_at AS started_at, COLLECT {
  MATCH (s)-[:HAS_TURN]->(t:Turn) WHERE NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
  WITH t ORDER BY t.position, t.id
  RETURN t {.id, .source_id, .position, .speaker, .text, .said_at, .offset, .role, .addressee, .attachments, .speaker_id}
} AS turns
ORDER BY started_at, id
