// The same on a server without the SEARCH clause: over-fetches from the index, then keeps the namespace's own.
// Parameters: $namespace, $vector, $limit, $fetch
CALL db.index.vector.queryNodes('property_embedding', $fetch, $vector) YIELD node AS p, score
WHERE p.namespace = $namespace
RETURN p.name AS name, score
ORDER BY score DESC, name LIMIT $limit
