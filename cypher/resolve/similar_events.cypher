// The events nearest in meaning to those that are told, of their namespace and time, with who takes part and where each is told. What is
// replaced is out, and what the extraction being written will replace.
// Parameters: $namespace, $told (a list of maps with id, vector, since, until), $limit (for each), $least (score),
//   $ids (of extractions that will be replaced)
CYPHER 25
UNWIND $told AS one
CALL (one) {
  WITH one, one.vector AS vector, one.since AS since, one.until AS until
  MATCH (v:Event)
    SEARCH v IN (VECTOR INDEX event_embedding FOR vector
      WHERE v.namespace = $namespace AND v.starts_at < until AND v.ends_at > since LIMIT $limit) SCORE AS score
  RETURN v, score
}
WITH one, v, score
WHERE score >= $least AND v.kind IN ['event', 'plan'] AND NOT EXISTS { (v)<-[:REPLACES]-(:Event) }
  AND EXISTS { (v)<-[:PRODUCED]-(x:Extraction) WHERE NOT x.id IN $ids AND NOT EXISTS { (x)<-[:REPLACES]-(:Extraction) } }
RETURN one.id AS to, v.id AS id, v.kind AS kind, v.verb AS verb, v.object AS object, v.summary AS summary, v.starts_at AS starts_at,
       v.ends_at AS ends_at, v.granularity AS granularity, v.time_rule AS time_rule, v.asserted_at AS asserted_at, score,
       [(v)-[part:INVOLVES]->(e:Entity) | [part.role, e.id]] AS participants,
       head([(v)-[:SUPPORTED_BY]->(:Evidence)-[:QUOTES]->(t:Turn) | t.id]) AS turn_id
ORDER BY to, score DESC, id
