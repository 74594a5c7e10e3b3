// The turns that the nearest events rest on, on a server without the SEARCH clause: over-fetches from the index, then keeps the filter's own.
// Parameters: $namespace, $vector, $fetch, $limit, $since, $until, $speaker_from, $speaker_to, $session_from, $session_to (the turns' filter)
CALL db.index.vector.queryNodes('event_embedding', $fetch, $vector) YIELD node AS v, score
WHERE v.namespace = $namespace AND NOT EXISTS { (v)<-[:REPLACES]-(:Event) }
  AND (NOT EXISTS { (v)<-[:PRODUCED]-(:Extraction) }
       OR EXISTS { (v)<-[:PRODUCED]-(x:Extraction) WHERE NOT EXISTS { (x)<-[:REPLACES]-(:Extraction) } })
WITH v, score ORDER BY score DESC LIMIT $limit
MATCH (v)-[:SUPPORTED_BY]->(:Evidence)-[:QUOTES]->(t:Turn)
WHERE t.said_at >= $since AND t.said_at < $until AND t.speaker_key >= $speaker_from AND t.speaker_key <= $speaker_to
  AND t.session_id >= $session_from AND t.session_id <= $session_to
RETURN t.id AS id, t.session_id AS session_id, t.position AS position, max(score) AS score
