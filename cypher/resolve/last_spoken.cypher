// When each of these entities was last spoken of, for choosing between namesakes, and the group of what was decided to be the same that it
// is in (the least identifier of it), for counting a group once.
// Parameters: $ids
CYPHER 25
UNWIND $ids AS id
MATCH (e:Entity {id: id})
CALL (e) {
  MATCH ANY SHORTEST (e) ((a:Entity)-[r:SAME_AS]-(b:Entity) WHERE NOT EXISTS {
    (a)-[d:DISTINCT_FROM]-(b) WHERE d.decided_at >= r.decided_at })* (m:Entity)
  RETURN min(m.id) AS together
}
OPTIONAL MATCH (e)<-[:RESOLVED_TO]-(r:Resolution)
RETURN id, together, toString(max(r.said_at)) AS last_spoken
