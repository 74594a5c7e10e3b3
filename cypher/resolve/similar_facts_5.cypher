// The same on a server without the SEARCH clause: over-fetches from the index, then keeps the namespace's own.
// Parameters: $namespace, $vectors (one a description), $fetch
UNWIND range(0, size($vectors) - 1) AS place
CALL (place) {
  CALL db.index.vector.queryNodes('fact_embedding', $fetch, $vectors[place]) YIELD node AS f, score
  WHERE f.namespace = $namespace
  RETURN f, score
}
MATCH (e:Entity)-[:HAS_FACT|VALUE]-(f)
WITH place, e, max(score) AS score
RETURN place, e.id AS id, e.name AS entity, e.type AS type, e.external_id AS external_id, e.attributes AS attributes, e.name AS alias, score,
       [(e)<-[:NAMES]-(other:Alias) | other.text] AS aliases
ORDER BY place, score DESC, id
