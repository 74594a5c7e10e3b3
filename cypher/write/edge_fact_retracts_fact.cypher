// Joins a retraction to the fact it withdraws. Returns [from, to, key] of those that are new.
// Parameters: $rows (a list of maps with start and end, identifiers), $now (transaction time)
CYPHER 25
UNWIND $rows AS row
MATCH (a:Fact {id: row.start})
MATCH (b:Fact {id: row.end})
MERGE (a)-[r:RETRACTS]->(b)
  ON CREATE SET r.created_at = $now
WITH a, b, r WHERE r.created_at = $now
RETURN collect(DISTINCT [a.id, b.id, '']) AS created
