// The newest commit of a namespace: its sequence number, digest and time. No row when nothing was committed yet.
// Parameters: $namespace
CYPHER 25
MATCH (c:Commit) WHERE c.namespace = $namespace AND c.sequence > 0
RETURN c.id AS id, c.sequence AS sequence, c.digest AS digest, c.created_at AS created_at
ORDER BY c.sequence DESC LIMIT 1
