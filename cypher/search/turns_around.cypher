// The turns at these places of sessions, with what ranking needs of each: words, vector, speaker. Revised turns are out.
// Parameters: $namespace, $places (a list of maps with session_id and positions)
CYPHER 25
UNWIND $places AS place
MATCH (t:Turn) WHERE t.session_id = place.session_id AND t.position IN place.positions
  AND t.namespace = $namespace AND NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
RETURN t.id AS id, t.session_id AS session_id, t.position AS position, t.speaker AS speaker, t.role AS role, t.searchable AS searchable,
       t.said_at AS said_at, t.embedding AS embedding
