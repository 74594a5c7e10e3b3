// The names of a namespace nearest in meaning to a question, with the entities that bear them.
// Parameters: $namespace, $vector, $limit
CYPHER 25
MATCH (a:Alias)
  SEARCH a IN (VECTOR INDEX alias_embedding FOR $vector WHERE a.namespace = $namespace LIMIT $limit) SCORE AS score
MATCH (a)-[:NAMES]->(e:Entity)
RETURN e.id AS id, a.text AS text, score
ORDER BY score DESC, id
