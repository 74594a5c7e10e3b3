// Appends the ledger's next entry. CREATE, not MERGE: where another writer was first, its uniqueness constraint undoes the transaction.
// Parameters: $row (a map of the properties named below), $scope (the namespace's label), $now (transaction time)
CYPHER 25
CREATE (c:Commit:$($scope) {
  id: $row.id, namespace: $row.namespace, sequence: $row.sequence, window: $row.window, counts: $row.counts, usage: $row.usage,
  digest: $row.digest, previous: $row.previous, created_at: $now
})
