// How many turns a namespace has, counted up to a bound.
// Parameters: $namespace, $bound
CYPHER 25
MATCH (t:Turn) WHERE t.namespace = $namespace
WITH t LIMIT $bound
RETURN count(t) AS turns
