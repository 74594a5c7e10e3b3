// When each of these entities was last spoken of, for choosing between namesakes.
// Parameters: $ids
CYPHER 25
UNWIND $ids AS id
MATCH (e:Entity {id: id})
OPTIONAL MATCH (e)<-[:RESOLVED_TO]-(r:Resolution)
RETURN id, toString(max(r.said_at)) AS last_spoken
