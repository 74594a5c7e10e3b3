// Joins two entities that were decided to be one. Returns [from, to, key] of those that are new.
// Parameters: $rows (a list of maps with start and end, identifiers, decided_at, decided_by, reason), $now (transaction time)
CYPHER 25
UNWIND $rows AS row
MATCH (a:Entity {id: row.start})
MATCH (b:Entity {id: row.end})
MERGE (a)-[r:SAME_AS {decided_at: row.decided_at}]->(b)
  ON CREATE SET r.decided_by = row.decided_by, r.reason = row.reason, r.created_at = $now
WITH a, b, r WHERE r.created_at = $now
RETURN collect(DISTINCT [a.id, b.id, r.decided_at]) AS created
