// Pairs of entities of a namespace that bear names near in meaning, with the two names.
// Parameters: $namespace, $limit (neighbours of each name), $least (score)
CYPHER 25
MATCH (a:Alias) WHERE a.namespace = $namespace AND a.normalised IS NOT NULL AND size(a.embedding) > 0
MATCH (a)-[:NAMES]->(one:Entity)
CALL (a) {
  WITH a.embedding AS vector
  MATCH (b:Alias)
    SEARCH b IN (VECTOR INDEX alias_embedding FOR vector WHERE b.namespace = $namespace LIMIT $limit) SCORE AS score
  RETURN b, score
}
MATCH (b)-[:NAMES]->(other:Entity) WHERE one.id <> other.id AND score >= $least
RETURN one.id AS one, other.id AS other, a.text AS name, b.text AS other_name, score
ORDER BY score DESC, one, other
