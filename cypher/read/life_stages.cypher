// Statements that are dated by an age or a stage of life ("when I was 18"), each with the person whose age it is and the speaker's offset.
// The person is given as the entity stored first of all that were decided to be the same.
// Parameters: $namespace, $said_by (null for no limit), $known_at (null for now)
CYPHER 25
WITH coalesce($said_by, datetime('9999-12-31T00:00Z')) AS said_by, coalesce($known_at, datetime('9999-12-31T00:00Z')) AS known_at
CALL (said_by, known_at) {
  MATCH (s:Event) WHERE s.namespace = $namespace AND s.life_stage > ''
  MATCH (s)-[:INVOLVES {role: 'Agent'}]->(p:Entity)
  RETURN s, p
UNION
  MATCH (s:Fact) WHERE s.namespace = $namespace AND s.life_stage > ''
  MATCH (p:Entity)-[:HAS_FACT]->(s)
  RETURN s, p
}
WITH s, p, known_at WHERE s.asserted_at <= said_by AND s.created_at <= known_at
CALL (p, known_at) {
  MATCH ANY SHORTEST (p) ((a:Entity)-[r:SAME_AS]-(b:Entity) WHERE r.created_at <= known_at AND NOT EXISTS {
    (a)-[d:DISTINCT_FROM]-(b) WHERE d.created_at <= known_at AND d.decided_at >= r.decided_at })* (e:Entity)
  WITH e ORDER BY e.created_at, e.id LIMIT 1
  RETURN e AS person
}
MATCH (s)-[:SUPPORTED_BY]->(:Evidence)-[:QUOTES]->(t:Turn)
WITH s, collect(DISTINCT person.id) AS people, min(t.offset) AS offset WHERE size(people) = 1
RETURN s.id AS id, s.life_stage AS life_stage, people[0] AS person, offset
ORDER BY id
