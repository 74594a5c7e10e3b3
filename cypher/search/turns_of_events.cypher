// The turns that the events nearest in meaning to a question rest on, with the nearness of the best of their events. What is replaced is out.
// Parameters: $namespace, $vector, $limit, $since, $until, $speaker_from, $speaker_to, $session_from, $session_to (the turns' filter)
CYPHER 25
MATCH (v:Event)
  SEARCH v IN (VECTOR INDEX event_embedding FOR $vector WHERE v.namespace = $namespace LIMIT $limit) SCORE AS score
WHERE NOT EXISTS { (v)<-[:REPLACES]-(:Event) }
  AND (NOT EXISTS { (v)<-[:PRODUCED]-(:Extraction) }
       OR EXISTS { (v)<-[:PRODUCED]-(x:Extraction) WHERE NOT EXISTS { (x)<-[:REPLACES]-(:Extraction) } })
MATCH (v)-[:SUPPORTED_BY]->(:Evidence)-[:QUOTES]->(t:Turn)
WHERE t.said_at >= $since AND t.said_at < $until AND t.speaker_key >= $speaker_from AND t.speaker_key <= $speaker_to
  AND t.session_id >= $session_from AND t.session_id <= $session_to
RETURN t.id AS id, t.session_id AS session_id, t.position AS position, max(score) AS score
