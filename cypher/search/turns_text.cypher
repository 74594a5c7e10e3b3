// The turns whose words answer a full-text query. Scope, days, speaker and session are clauses of that query; the exact time is checked here.
// Parameters: $index (turn_text or turn_text_cjk), $lucene (a query in Lucene syntax), $since, $until (said in [since, until)), $limit
CYPHER 25
CALL db.index.fulltext.queryNodes($index, $lucene, {limit: $limit}) YIELD node AS t, score
WHERE score > 0 AND t.said_at >= $since AND t.said_at < $until AND NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
RETURN t.session_id AS session_id, t.position AS position
ORDER BY score DESC
