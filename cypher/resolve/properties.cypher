// All properties of a namespace, so that a name that exists keeps its cardinality and type.
// Parameters: $namespace
CYPHER 25
MATCH (p:Property) WHERE p.namespace = $namespace AND p.name IS NOT NULL
RETURN p.name AS name, p.cardinality AS cardinality, p.value_type AS value_type
ORDER BY name
