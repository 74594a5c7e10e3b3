// The names nearest in meaning to mentions, among those of their namespace, with the entities that bear them. ``place`` is the mention's.
// Parameters: $namespace, $vectors (one a mention), $limit (for each)
CYPHER 25
UNWIND range(0, size($vectors) - 1) AS place
CALL (place) {
  WITH place, $vectors[place] AS vector
  MATCH (a:Alias)
    SEARCH a IN (VECTOR INDEX alias_embedding FOR vector WHERE a.namespace = $namespace LIMIT $limit) SCORE AS score
  RETURN a, score
}
MATCH (a)-[:NAMES]->(e:Entity)
RETURN place, e.id AS id, e.name AS entity, e.type AS type, e.external_id AS external_id, e.attributes AS attributes, a.text AS alias, score,
       [(e)<-[:NAMES]-(other:Alias) | other.text] AS aliases
ORDER BY place, score DESC, id
