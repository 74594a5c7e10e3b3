// The turns of a result as they are shown, with their sessions.
// Parameters: $ids
CYPHER 25
UNWIND $ids AS id
MATCH (t:Turn {id: id})<-[:HAS_TURN]-(s:Session)
RETURN t.id AS id, t.source_id AS turn_id, s.source_id AS session_id, t.speaker AS speaker, t.said_at AS said_at, t.offset AS offset,
       t.text AS text, t.attachments AS attachments, t.addressee AS addressee
