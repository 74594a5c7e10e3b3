// The properties nearest in meaning, on a server without the SEARCH clause: over-fetches from the index, then keeps the namespace's own.
// Parameters: $namespace, $vector, $fetch, $limit
CALL db.index.vector.queryNodes('property_embedding', $fetch, $vector) YIELD node AS p, score
WHERE p.namespace = $namespace
RETURN p.name AS name, p.cardinality AS cardinality, p.value_type AS value_type, score
ORDER BY score DESC, name LIMIT $limit
