// The extractions of sessions: who read which turns, and which of them a later extraction replaced.
// Parameters: $session_ids
CYPHER 25
UNWIND $session_ids AS session_id
MATCH (x:Extraction) WHERE x.session_id = session_id
RETURN x.id AS id, x.session_id AS session_id, x.window AS window, x.extractor AS extractor, x.version AS version,
       EXISTS { (:Extraction)-[:REPLACES]->(x) } AS replaced
