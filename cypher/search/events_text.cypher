// The events whose words answer a full-text query, that overlap [since, until) if these are given. What is replaced is out.
// Parameters: $lucene (a query in Lucene syntax), $since, $until (null for no limit), $limit
CYPHER 25
CALL db.index.fulltext.queryNodes('event_text', $lucene, {limit: $limit}) YIELD node AS v, score
WHERE score > 0 AND ($until IS NULL OR v.starts_at < $until) AND ($since IS NULL OR coalesce(v.ends_at, v.starts_at) > $since)
  AND NOT EXISTS { (v)<-[:REPLACES]-(:Event) }
  AND (NOT EXISTS { (v)<-[:PRODUCED]-(:Extraction) }
       OR EXISTS { (v)<-[:PRODUCED]-(x:Extraction) WHERE NOT EXISTS { (x)<-[:REPLACES]-(:Extraction) } })
RETURN v.id AS id, score
ORDER BY score DESC, id
