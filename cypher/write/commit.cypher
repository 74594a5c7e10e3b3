// Appends the ledger's next entry. CREATE, not MERGE: where another writer was first, its uniqueness constraint undoes the transaction.
// No row, and nothing appended, where the database has been moved, or is being moved, to another embedding model than the writer's.
// Parameters: $row (a map of the properties named below), $scope (the namespace's label), $now (transaction time),
//   $embedding_model (null for a writer that embeds nothing)
CYPHER 25
MATCH (m:Meta {id: 'meta'})
WHERE m.switching IS NULL AND m.embedding_model = coalesce($embedding_model, m.embedding_model)
CREATE (c:Commit:$($scope) {
  id: $row.id, namespace: $row.namespace, sequence: $row.sequence, window: $row.window, counts: $row.counts, usage: $row.usage,
  digest: $row.digest, previous: $row.previous, created_at: $now
})
RETURN c.id AS id
