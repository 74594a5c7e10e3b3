// The windows of sessions that failed, and whose reading of them it was.
// Parameters: $session_ids
CYPHER 25
UNWIND $session_ids AS session_id
MATCH (x:Attempt) WHERE x.session_id = session_id
RETURN x.window AS window, x.extractor AS extractor, x.version AS version
