// Which of these turns, events and entities count, where only what was said and what the memory had learned by some time counts.
// An entity counts from the first statement about it. Turns and events that were replaced by then are out.
// Parameters: $namespace, $ids, $said_by, $known_at (null for now)
CYPHER 25
WITH coalesce($known_at, datetime('9999-12-31T00:00Z')) AS known_at
UNWIND $ids AS id
CALL (id, known_at) {
  MATCH (t:Turn {id: id})
  WHERE t.namespace = $namespace AND t.created_at <= known_at AND t.said_at <= $said_by
    AND NOT EXISTS { (t)<-[r:REPLACES]-(:Turn) WHERE r.created_at <= known_at }
  RETURN t.id AS counting
UNION
  MATCH (v:Event {id: id})
  WHERE v.namespace = $namespace AND v.created_at <= known_at AND v.asserted_at <= $said_by
    AND NOT EXISTS { (v)<-[r:REPLACES]-(:Event) WHERE r.created_at <= known_at }
    AND (NOT EXISTS { (v)<-[:PRODUCED]-(:Extraction) }
         OR EXISTS { (v)<-[:PRODUCED]-(x:Extraction) WHERE x.created_at <= known_at
                     AND NOT EXISTS { (x)<-[r:REPLACES]-(:Extraction) WHERE r.created_at <= known_at } })
  RETURN v.id AS counting
UNION
  MATCH (e:Entity {id: id})
  WHERE e.namespace = $namespace
    AND (EXISTS { (e)<-[:INVOLVES|AT]-(v:Event) WHERE v.created_at <= known_at AND v.asserted_at <= $said_by }
         OR EXISTS { (e)-[:HAS_FACT]->(f:Fact) WHERE f.created_at <= known_at AND f.asserted_at <= $said_by }
         OR EXISTS { (e)<-[:VALUE]-(f:Fact) WHERE f.created_at <= known_at AND f.asserted_at <= $said_by })
  RETURN e.id AS counting
}
RETURN counting AS id
