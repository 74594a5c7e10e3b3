// The properties of a namespace nearest in meaning to a question.
// Parameters: $namespace, $vector, $limit
CYPHER 25
MATCH (p:Property)
  SEARCH p IN (VECTOR INDEX property_embedding FOR $vector WHERE p.namespace = $namespace LIMIT $limit) SCORE AS score
RETURN p.name AS name, p.cardinality AS cardinality, p.value_type AS value_type, score
ORDER BY score DESC, name
