// The turns in which each of these entities was last mentioned, the latest first, with the words that mention it.
// Parameters: $ids, $limit (turns of each)
CYPHER 25
UNWIND $ids AS id
MATCH (e:Entity {id: id})
RETURN id, COLLECT {
  MATCH (e)<-[:RESOLVED_TO]-(:Resolution)-[:SUPPORTED_BY]->(v:Evidence)-[:QUOTES]->(t:Turn)<-[:HAS_TURN]-(s:Session)
  WITH t, s, min([v.start, v.end, v.quote, v.id]) AS first
  ORDER BY t.said_at DESC, t.id LIMIT $limit
  RETURN {evidence_id: first[3], quote: first[2], start: first[0], end: first[1], turn_id: t.source_id, session_id: s.source_id,
          speaker: t.speaker, said_at: t.said_at, offset: t.offset, text: t.text}
} AS quotations
