// The turns nearest in meaning of all that a filter keeps, each compared: for a server without the SEARCH clause, where over-fetching from
// the index of the whole database brings too few of them.
// Parameters: $namespace, $vector, $since, $until (said in [since, until)), $speaker_from, $speaker_to, $session_from, $session_to
//   (bounds of the speaker's key and of the session's identifier, both included), $limit
MATCH (t:Turn) USING INDEX t:Turn(namespace, said_at)
WHERE t.namespace = $namespace AND t.said_at >= $since AND t.said_at < $until
  AND t.speaker_key >= $speaker_from AND t.speaker_key <= $speaker_to AND t.session_id >= $session_from AND t.session_id <= $session_to
  AND NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
RETURN t.session_id AS session_id, t.position AS position, vector.similarity.cosine(t.embedding, $vector) AS score
ORDER BY score DESC LIMIT $limit
