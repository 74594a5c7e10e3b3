// The properties of a namespace whose names are nearest in meaning to a new one.
// Parameters: $namespace, $vector, $limit
CYPHER 25
MATCH (p:Property)
  SEARCH p IN (VECTOR INDEX property_embedding FOR $vector WHERE p.namespace = $namespace LIMIT $limit) SCORE AS score
RETURN p.name AS name, score
ORDER BY score DESC, name
