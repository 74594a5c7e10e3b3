// Joins a revised turn to the one it replaces. Returns [from, to, key] of those that are new.
// Parameters: $rows (a list of maps with start and end, identifiers), $now (transaction time)
CYPHER 25
UNWIND $rows AS row
MATCH (a:Turn {id: row.start})
MATCH (b:Turn {id: row.end})
MERGE (a)-[r:REPLACES]->(b)
  ON CREATE SET r.created_at = $now
WITH a, b, r WHERE r.created_at = $now
RETURN collect(DISTINCT [a.id, b.id, '']) AS created
