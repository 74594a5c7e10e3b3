// How many turns came in between two transaction times, from after the first up to the second.
// Parameters: $namespace, $earlier, $later
CYPHER 25
MATCH (t:Turn) WHERE t.namespace = $namespace AND t.created_at > $earlier AND t.created_at <= $later
RETURN count(t) AS turns
