// The same on a server without the SEARCH clause: over-fetches from the index, then keeps the namespace's own.
// Parameters: $namespace, $vectors (one a mention), $limit (for each), $fetch
UNWIND range(0, size($vectors) - 1) AS place
CALL (place) {
  CALL db.index.vector.queryNodes('alias_embedding', $fetch, $vectors[place]) YIELD node AS a, score
  WHERE a.namespace = $namespace
  MATCH (a)-[:NAMES]->(e:Entity)
  RETURN a, e, score ORDER BY score DESC, e.id LIMIT $limit
}
RETURN place, e.id AS id, e.name AS entity, e.type AS type, e.external_id AS external_id, e.attributes AS attributes, a.text AS alias, score,
       [(e)<-[:NAMES]-(other:Alias) | other.text] AS aliases
ORDER BY place, score DESC, id
