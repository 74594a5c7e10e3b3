// Entities by name, by identifier, or all of a namespace; each with its names and with everything that was decided to be the same.
// Parameters: $namespace, $names (normalised names, [] for none), $ids (identifiers, [] for none; with neither, all entities),
//   $known_at (null for now)
CYPHER 25
WITH coalesce($known_at, datetime('9999-12-31T00:00Z')) AS known_at
CALL (known_at) {
  UNWIND $names AS name
  MATCH (a:Alias) WHERE a.namespace = $namespace AND a.normalised = name AND a.created_at <= known_at
  MATCH (a)-[:NAMES]->(e:Entity)
  RETURN e
UNION
  UNWIND $ids AS id
  MATCH (e:Entity {id: id}) WHERE e.namespace = $namespace
  RETURN e
UNION
  WITH 1 AS everything WHERE size($names) = 0 AND size($ids) = 0
  MATCH (e:Entity) WHERE e.namespace = $namespace AND e.name IS NOT NULL
  RETURN e
}
WITH known_at, e WHERE e.created_at <= known_at
CALL (e, known_at) {
  MATCH ANY SHORTEST (e) ((a:Entity)-[r:SAME_AS]-(b:Entity) WHERE r.created_at <= known_at AND NOT EXISTS {
    (a)-[d:DISTINCT_FROM]-(b) WHERE d.created_at <= known_at AND d.decided_at >= r.decided_at })* (m:Entity)
  WITH m ORDER BY m.created_at, m.id
  RETURN collect(m) AS same
}
WITH DISTINCT known_at, same
WITH same, same[0] AS e, COLLECT {
  UNWIND same AS m
  MATCH (m)<-[:NAMES]-(a:Alias) WHERE a.created_at <= known_at
  WITH a.text AS text, min(a.created_at) AS first ORDER BY first, text
  RETURN text
} AS aliases, COUNT {
  UNWIND same AS m
  MATCH (m)-[:HAS_FACT]->(f:Fact) WHERE f.created_at <= known_at
} AS facts, COUNT {
  UNWIND same AS m
  MATCH (m)<-[:INVOLVES]-(v:Event) WHERE v.created_at <= known_at
  RETURN DISTINCT v
} AS events
RETURN e.id AS id, e.name AS name, e.type AS type, [m IN same | m.id] AS ids, aliases,
       [m IN same WHERE m.external_id IS NOT NULL | m.external_id] AS external_ids,
       reduce(told = [], m IN same | told + coalesce(m.attributes, [])) AS attributes, facts, events
ORDER BY facts + events DESC, name, id
