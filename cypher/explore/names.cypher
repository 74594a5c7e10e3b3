// Which names were taken for which entity, how sure that was, and why: the decisions one might want to correct. A table.
// Parameters: none
CYPHER 25
MATCH (r:Resolution) WHERE r.namespace IS NOT NULL AND r.mention IS NOT NULL
MATCH (r)-[:RESOLVED_TO]->(e:Entity)
MATCH (r)-[:SUPPORTED_BY]->(v:Evidence)-[:QUOTES]->(t:Turn)
RETURN r.namespace AS namespace, r.mention AS name, e.name AS entity, e.type AS type, r.decision AS decision, r.confidence AS confidence,
       r.reason AS reason, r.decided_by AS decided_by, collect(DISTINCT t.source_id)[..5] AS turns
ORDER BY confidence, namespace, name
LIMIT 100
