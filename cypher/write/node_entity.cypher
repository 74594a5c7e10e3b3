// Appends entities; what is there already stays as it is. Returns the identifiers of those that are new.
// Parameters: $rows (a list of maps of properties with an id), $scope (the namespace's label), $now (transaction time)
CYPHER 25
UNWIND $rows AS row
MERGE (n:Entity {id: row.id})
  ON CREATE SET n += row, n.created_at = $now, n:$($scope)
WITH n WHERE n.created_at = $now
RETURN collect(DISTINCT n.id) AS created
