// The entities that the facts nearest in meaning to descriptions are about, or name. ``place`` is the description's.
// Parameters: $namespace, $vectors (one a description), $limit (facts for each)
CYPHER 25
UNWIND range(0, size($vectors) - 1) AS place
CALL (place) {
  WITH place, $vectors[place] AS vector
  MATCH (f:Fact)
    SEARCH f IN (VECTOR INDEX fact_embedding FOR vector WHERE f.namespace = $namespace LIMIT $limit) SCORE AS score
  RETURN f, score
}
MATCH (e:Entity)-[:HAS_FACT|VALUE]-(f)
WITH place, e, max(score) AS score
RETURN place, e.id AS id, e.name AS entity, e.type AS type, e.external_id AS external_id, e.attributes AS attributes, e.name AS alias, score,
       [(e)<-[:NAMES]-(other:Alias) | other.text] AS aliases
ORDER BY place, score DESC, id
