// Events, facts and decisions of a namespace that lead to no quotation; there must be none.
// Parameters: $scope (the namespace's label)
CYPHER 25
MATCH (n:$($scope))
WHERE (n:Event OR n:Fact OR n:Resolution) AND NOT EXISTS { (n)-[:SUPPORTED_BY]->(:Evidence)-[:QUOTES]->(:Turn) }
RETURN n.id AS id, [label IN labels(n) WHERE label <> $scope][0] AS label
