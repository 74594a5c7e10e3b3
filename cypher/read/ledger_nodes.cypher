// Every node of a namespace with what the ledger's digests are made of; embeddings are derived and left out.
// Parameters: $scope (the namespace's label)
CYPHER 25
MATCH (n:$($scope)) WHERE NOT n:Commit
RETURN [label IN labels(n) WHERE label <> $scope][0] AS label, n {.*, embedding: null, embedding_next: null} AS properties
