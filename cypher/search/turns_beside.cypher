// The turns that stand within reach of others in their sessions, and those themselves, as they are shown. Revised turns are out.
// Parameters: $ids, $reach (in positions)
CYPHER 25
UNWIND $ids AS id
MATCH (c:Turn {id: id})
MATCH (t:Turn) WHERE t.session_id = c.session_id AND t.position >= c.position - toInteger($reach) AND t.position <= c.position + toInteger($reach)
  AND t.namespace = c.namespace AND NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
MATCH (t)<-[:HAS_TURN]-(s:Session)
RETURN id AS beside, t.id AS id, t.source_id AS turn_id, s.source_id AS session_id, s.title AS title, s.started_at AS started_at,
       t.position AS position, t.speaker AS speaker, t.said_at AS said_at, t.offset AS offset, t.text AS text, t.attachments AS attachments, t.addressee AS addressee
ORDER BY beside, position
