// The texts of turns that a full-text query finds, for checking them letter by letter. Revised turns are out.
// Parameters: $lucene (a query in Lucene syntax), $since, $until (said in [since, until)), $limit
CYPHER 25
CALL db.index.fulltext.queryNodes('turn_text_cjk', $lucene, {limit: $limit}) YIELD node AS t
WHERE t.said_at >= $since AND t.said_at < $until AND NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
RETURN t.id AS id, t.said_at AS at, t.position AS position, t.text AS text
