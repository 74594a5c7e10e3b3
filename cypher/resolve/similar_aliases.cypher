// The names nearest in meaning to a mention, among those of its namespace, with the entities that bear them.
// Parameters: $namespace, $vector, $limit
CYPHER 25
MATCH (a:Alias)
  SEARCH a IN (VECTOR INDEX alias_embedding FOR $vector WHERE a.namespace = $namespace LIMIT $limit) SCORE AS score
MATCH (a)-[:NAMES]->(e:Entity)
RETURN e.id AS id, e.name AS entity, e.type AS type, e.external_id AS external_id, e.attributes AS attributes, a.text AS alias, score,
       [(e)<-[:NAMES]-(other:Alias) | other.text] AS aliases
ORDER BY score DESC, id
