// How many turns a namespace has, counted up to a limit.
// Parameters: $namespace, $limit
CYPHER 25
MATCH (t:Turn) USING INDEX t:Turn(namespace, said_at)
WHERE t.namespace = $namespace AND t.said_at IS NOT NULL
WITH t LIMIT $limit
RETURN count(t) AS turns
