// Every relationship of a namespace with what the ledger's digests are made of; NEXT is derived and left out.
// Parameters: $scope (the namespace's label)
CYPHER 25
MATCH (a:$($scope)) WHERE NOT a:Commit
CALL (a) {
  MATCH (a)-[r]->(b) WHERE type(r) <> 'NEXT'
  RETURN r, b
}
RETURN [label IN labels(a) WHERE label <> $scope][0] AS from_label, type(r) AS type,
       [label IN labels(b) WHERE label <> $scope][0] AS to_label,
       a.id AS start, b.id AS end, properties(r) AS properties
