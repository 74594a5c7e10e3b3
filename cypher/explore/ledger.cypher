// The ledger: what each transaction added, in order, newest first. A table.
// Parameters: none
CYPHER 25
MATCH (c:Commit) WHERE c.namespace IS NOT NULL AND c.sequence > 0
RETURN c.namespace AS namespace, c.sequence AS sequence, c.created_at AS at, c.counts AS added, size(c.window) AS turns, left(c.digest, 12) AS digest
ORDER BY at DESC
LIMIT 50
