// The turns that the graph links to the entities that a question names: through their facts of certain properties, the present ones and all
// that were before; through such facts of what those facts lead to, and of what was decided to be the same; and through events of those of
// them that are seldom spoken of.
// Parameters: $entities (identifiers, of each all that was decided to be the same), $properties (names), $seldom (so many events at most), $since, $until, $speaker_from, $speaker_to,
//   $session_from, $session_to, $namespace (the turns' filter)
CYPHER 25
UNWIND $entities AS id
MATCH (named:Entity {id: id}) WHERE named.namespace = $namespace
CALL (named) {
  MATCH (named)-[:HAS_FACT]->(f:Fact) WHERE f.property IN $properties
  MATCH (f)-[:SUPPORTED_BY]->(q:Evidence)
  RETURN q
UNION
  MATCH (named)-[:HAS_FACT]->(f:Fact)-[:VALUE]->(e:Entity) WHERE f.property IN $properties
  MATCH ANY SHORTEST (e) ((a:Entity)-[r:SAME_AS]-(b:Entity) WHERE NOT EXISTS {
    (a)-[d:DISTINCT_FROM]-(b) WHERE d.decided_at >= r.decided_at })* (m:Entity)
  MATCH (m)-[:HAS_FACT]->(g:Fact)-[:SUPPORTED_BY]->(q:Evidence) WHERE g.property IN $properties
  RETURN q
UNION
  WITH named WHERE COUNT { (named)<-[:INVOLVES|AT]-(:Event) } <= toInteger($seldom)
  MATCH (named)<-[:INVOLVES|AT]-(:Event)-[:SUPPORTED_BY]->(q:Evidence)
  RETURN q
}
MATCH (q)-[:QUOTES]->(t:Turn)
WHERE t.said_at >= $since AND t.said_at < $until AND t.speaker_key >= $speaker_from AND t.speaker_key <= $speaker_to
  AND t.session_id >= $session_from AND t.session_id <= $session_to
RETURN DISTINCT t.id AS id, t.session_id AS session_id, t.position AS position
