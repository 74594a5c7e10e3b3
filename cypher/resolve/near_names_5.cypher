// The same on a server without the SEARCH clause: over-fetches from the index, then keeps the namespace's own.
// Parameters: $namespace, $fetch, $least (score)
MATCH (a:Alias) WHERE a.namespace = $namespace AND a.normalised IS NOT NULL AND size(a.embedding) > 0
MATCH (a)-[:NAMES]->(one:Entity)
CALL (a) {
  CALL db.index.vector.queryNodes('alias_embedding', $fetch, a.embedding) YIELD node AS b, score
  WHERE b.namespace = $namespace
  RETURN b, score
}
MATCH (b)-[:NAMES]->(other:Entity) WHERE one.id <> other.id AND score >= $least
RETURN one.id AS one, other.id AS other, a.text AS name, b.text AS other_name, score
ORDER BY score DESC, one, other
