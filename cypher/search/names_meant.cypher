// The entities that these names, or names that begin with them, could mean, with all names that they bear, also those of entities that were
// decided to be the same: "ana" finds Ana Sousa. Whole says whether the name is all of it; person is the same for entities that are one.
// Parameters: $namespace, $names (normalised names)
CYPHER 25
UNWIND $names AS name
MATCH (a:Alias) WHERE a.namespace = $namespace AND a.normalised >= name AND a.normalised < name + '!'
  AND (a.normalised = name OR a.normalised STARTS WITH name + ' ')
MATCH (a)-[:NAMES]->(e:Entity)
WITH e, name, max(a.normalised = name) AS whole
CALL (e) {
  MATCH ANY SHORTEST (e) ((a:Entity)-[r:SAME_AS]-(b:Entity) WHERE NOT EXISTS {
    (a)-[d:DISTINCT_FROM]-(b) WHERE d.decided_at >= r.decided_at })* (m:Entity)
  WITH m ORDER BY m.id
  RETURN collect(m) AS same
}
UNWIND same AS m
MATCH (m)<-[:NAMES]-(other:Alias)
RETURN DISTINCT name, whole, m.id AS id, m.type AS type, other.text AS text, same[0].id AS person
ORDER BY name, whole DESC, text, id LIMIT 200
