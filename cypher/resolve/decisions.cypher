// What was decided about these entities: with which others they are the same, and from which distinct, the oldest decision first.
// Parameters: $ids
CYPHER 25
UNWIND $ids AS id
MATCH (a:Entity {id: id})-[r:SAME_AS|DISTINCT_FROM]->(b:Entity)
RETURN a.id AS one, a.name AS name, b.id AS other, b.name AS other_name, type(r) = 'SAME_AS' AS same, r.decided_at AS decided_at,
       r.decided_by AS decided_by, r.reason AS reason
ORDER BY decided_at, one, other
