// The turns nearest in meaning, on a server without the SEARCH clause: over-fetches from the index, then keeps what the filter lets pass.
// Parameters: $namespace, $vector, $since, $until (said in [since, until)), $speaker_from, $speaker_to, $session_from, $session_to
//   (bounds of the speaker's key and of the session's identifier, both included), $fetch, $limit
CALL db.index.vector.queryNodes('turn_embedding', $fetch, $vector) YIELD node AS t, score
WHERE t.namespace = $namespace AND t.said_at >= $since AND t.said_at < $until
  AND t.speaker_key >= $speaker_from AND t.speaker_key <= $speaker_to AND t.session_id >= $session_from AND t.session_id <= $session_to
  AND NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
RETURN t.session_id AS session_id, t.position AS position
ORDER BY score DESC LIMIT $limit
