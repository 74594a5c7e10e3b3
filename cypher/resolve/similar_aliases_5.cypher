// The same on a server without the SEARCH clause: over-fetches from the index, then keeps the namespace's own.
// Parameters: $namespace, $vector, $limit, $fetch
CALL db.index.vector.queryNodes('alias_embedding', $fetch, $vector) YIELD node AS a, score
WHERE a.namespace = $namespace
MATCH (a)-[:NAMES]->(e:Entity)
RETURN e.id AS id, e.name AS entity, e.type AS type, e.external_id AS external_id, e.attributes AS attributes, a.text AS alias, score,
       [(e)<-[:NAMES]-(other:Alias) | other.text] AS aliases
ORDER BY score DESC, id LIMIT $limit
