// The nearest names, on a server without the SEARCH clause: over-fetches from the index, then keeps the namespace's own.
// Parameters: $namespace, $vector, $fetch, $limit
CALL db.index.vector.queryNodes('alias_embedding', $fetch, $vector) YIELD node AS a, score
WHERE a.namespace = $namespace
MATCH (a)-[:NAMES]->(e:Entity)
RETURN e.id AS id, a.text AS text, score
ORDER BY score DESC, id LIMIT $limit
