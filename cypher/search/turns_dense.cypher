// The turns nearest in meaning to a question, with the filters inside the vector index: namespace, time, speaker, session. Revised turns are out.
// Parameters: $namespace, $vector, $since, $until (said in [since, until)), $speaker_from, $speaker_to, $session_from, $session_to
//   (bounds of the speaker's key and of the session's identifier, both included), $limit
CYPHER 25
MATCH (t:Turn)
  SEARCH t IN (VECTOR INDEX turn_embedding FOR $vector
    WHERE t.namespace = $namespace AND t.said_at >= $since AND t.said_at < $until
      AND t.speaker_key >= $speaker_from AND t.speaker_key <= $speaker_to
      AND t.session_id >= $session_from AND t.session_id <= $session_to
    LIMIT $limit) SCORE AS score
WHERE NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
RETURN t.session_id AS session_id, t.position AS position
ORDER BY score DESC
