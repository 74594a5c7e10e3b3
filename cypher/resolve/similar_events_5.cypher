// The same on a server without the SEARCH clause: over-fetches from the index, then keeps what is of this namespace and time.
// Parameters: $namespace, $told (a list of maps with id, vector, since, until), $limit (for each), $fetch, $least (score),
//   $ids (of extractions that will be replaced)
UNWIND $told AS one
CALL (one) {
  CALL db.index.vector.queryNodes('event_embedding', $fetch, one.vector) YIELD node AS v, score
  WHERE v.namespace = $namespace AND v.starts_at < one.until AND v.ends_at > one.since
    AND score >= $least AND v.kind IN ['event', 'plan'] AND NOT EXISTS { (v)<-[:REPLACES]-(:Event) }
    AND EXISTS { (v)<-[:PRODUCED]-(x:Extraction) WHERE NOT x.id IN $ids AND NOT EXISTS { (x)<-[:REPLACES]-(:Extraction) } }
  RETURN v, score ORDER BY score DESC, v.id LIMIT $limit
}
RETURN one.id AS to, v.id AS id, v.kind AS kind, v.verb AS verb, v.object AS object, v.summary AS summary, v.starts_at AS starts_at,
       v.ends_at AS ends_at, v.granularity AS granularity, v.time_rule AS time_rule, v.asserted_at AS asserted_at, score,
       [(v)-[part:INVOLVES]->(e:Entity) | [part.role, e.id]] AS participants,
       head([(v)-[:SUPPORTED_BY]->(:Evidence)-[:QUOTES]->(t:Turn) | t.id]) AS turn_id
ORDER BY to, score DESC, id
