// One turn by its identifier: its words and when they were said. No row if the namespace has none such.
// Parameters: $namespace, $turn (identifier)
CYPHER 25
MATCH (t:Turn {id: $turn}) WHERE t.namespace = $namespace
RETURN t.text AS text, t.said_at AS said_at, t.offset AS offset, t.source_id AS turn_id
