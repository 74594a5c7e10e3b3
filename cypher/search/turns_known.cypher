// Which of some turns the memory had by a moment.
// Parameters: $ids (turn nodes), $known_at
CYPHER 25
UNWIND $ids AS id
MATCH (t:Turn {id: id}) WHERE t.created_at <= $known_at
RETURN t.id AS id
