// How many turns a namespace has, counted up to a bound.
// Parameters: $namespace, $limit
CYPHER 25
MATCH (t:Turn) WHERE t.namespace = $namespace
WITH t LIMIT $limit
RETURN count(t) AS turns
