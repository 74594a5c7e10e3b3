// The turns of sessions that are stored, with what each replaces, in order; for finding out what is new.
// Parameters: $session_ids
CYPHER 25
UNWIND $session_ids AS session_id
MATCH (t:Turn) WHERE t.session_id = session_id AND t.position >= 0
OPTIONAL MATCH (t)-[:REPLACES]->(earlier:Turn)
RETURN t.id AS id, t.session_id AS session_id, t.source_id AS source_id, t.position AS position, t.speaker AS speaker, t.text AS text,
       t.attachments AS attachments, earlier.id AS replaces
ORDER BY session_id, t.position, t.id
