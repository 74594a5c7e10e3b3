// The summaries and quotations of all events of a namespace that overlap [since, until), in the order in which they were told.
// Parameters: $namespace, $since, $until (null for no limit), $limit
CYPHER 25
MATCH (v:Event) USING INDEX v:Event(namespace, asserted_at)
WHERE v.namespace = $namespace AND v.asserted_at IS NOT NULL
  AND ($until IS NULL OR v.starts_at < $until) AND ($since IS NULL OR coalesce(v.ends_at, v.starts_at) > $since)
  AND NOT EXISTS { (v)<-[:REPLACES]-(:Event) }
  AND (NOT EXISTS { (v)<-[:PRODUCED]-(:Extraction) }
       OR EXISTS { (v)<-[:PRODUCED]-(x:Extraction) WHERE NOT EXISTS { (x)<-[:REPLACES]-(:Extraction) } })
RETURN v.id AS id, v.summary AS summary, [(v)-[:SUPPORTED_BY]->(q:Evidence) | q.quote] AS quotes
ORDER BY v.namespace, v.asserted_at LIMIT $limit
