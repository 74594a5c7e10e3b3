// The texts of all turns that a filter keeps, oldest first, for checking them letter by letter. Revised turns are out.
// Parameters: $namespace, $since, $until (said in [since, until)), $speaker_from, $speaker_to, $session_from, $session_to, $limit
CYPHER 25
MATCH (t:Turn) USING INDEX t:Turn(namespace, said_at)
WHERE t.namespace = $namespace AND t.said_at >= $since AND t.said_at < $until
  AND t.speaker_key >= $speaker_from AND t.speaker_key <= $speaker_to AND t.session_id >= $session_from AND t.session_id <= $session_to
  AND NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
RETURN t.id AS id, t.said_at AS at, t.position AS position, t.text AS text
ORDER BY t.namespace, t.said_at LIMIT $limit
