// The events nearest in meaning that overlap [since, until), on a server without the SEARCH clause: over-fetches, then keeps the filter's own.
// Parameters: $namespace, $vector, $since, $until (null for no limit), $fetch, $limit
CALL db.index.vector.queryNodes('event_embedding', $fetch, $vector) YIELD node AS v, score
WHERE v.namespace = $namespace AND ($until IS NULL OR v.starts_at < $until) AND ($since IS NULL OR v.ends_at > $since)
  AND NOT EXISTS { (v)<-[:REPLACES]-(:Event) }
  AND (NOT EXISTS { (v)<-[:PRODUCED]-(:Extraction) }
       OR EXISTS { (v)<-[:PRODUCED]-(x:Extraction) WHERE NOT EXISTS { (x)<-[:REPLACES]-(:Extraction) } })
RETURN v.id AS id, score
ORDER BY score DESC, id LIMIT $limit
