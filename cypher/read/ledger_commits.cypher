// All commits of a namespace in order, for verifying the chain.
// Parameters: $namespace
CYPHER 25
MATCH (c:Commit) WHERE c.namespace = $namespace AND c.sequence > 0
RETURN properties(c) AS properties
ORDER BY c.sequence
