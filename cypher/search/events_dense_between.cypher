// The events nearest in meaning to a question that overlap [since, until), of one namespace; the filter is inside the index.
// Parameters: $namespace, $vector, $since, $until, $limit
CYPHER 25
MATCH (v:Event)
  SEARCH v IN (VECTOR INDEX event_embedding FOR $vector
    WHERE v.namespace = $namespace AND v.starts_at < $until AND v.ends_at > $since LIMIT $limit) SCORE AS score
WHERE NOT EXISTS { (v)<-[:REPLACES]-(:Event) }
  AND (NOT EXISTS { (v)<-[:PRODUCED]-(:Extraction) }
       OR EXISTS { (v)<-[:PRODUCED]-(x:Extraction) WHERE NOT EXISTS { (x)<-[:REPLACES]-(:Extraction) } })
RETURN v.id AS id, score
ORDER BY score DESC, id
