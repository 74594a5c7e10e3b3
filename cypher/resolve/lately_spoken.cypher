// The entities that were spoken of in the turns before a moment, the latest first: what "the restaurant from last time" may be.
// Parameters: $namespace, $before, $turns (how many turns to look back), $limit
CYPHER 25
CALL () {
  MATCH (t:Turn) WHERE t.namespace = $namespace AND t.said_at < $before
  RETURN t ORDER BY t.said_at DESC LIMIT $turns
}
MATCH (t)<-[:QUOTES]-(:Evidence)<-[:SUPPORTED_BY]-(:Resolution)-[:RESOLVED_TO]->(e:Entity)
WITH e, max(t.said_at) AS last ORDER BY last DESC, e.id LIMIT $limit
RETURN e.id AS id, e.name AS entity, e.type AS type, e.external_id AS external_id, e.attributes AS attributes,
       [(e)<-[:NAMES]-(other:Alias) | other.text] AS aliases
ORDER BY last DESC, id
