// Events as they are shown: who takes part, and the quotations that they rest on. Quotations of revised turns are out.
// Parameters: $ids
CYPHER 25
UNWIND $ids AS id
MATCH (v:Event {id: id})
RETURN v {
  .id, .kind, .subject, .verb, .object, .summary, .starts_at, .ends_at, .granularity, .time_expression, .time_rule, .confidence,
  participants: COLLECT { MATCH (v)-[:INVOLVES]->(e:Entity) RETURN DISTINCT e.name ORDER BY e.name },
  evidence: COLLECT {
    MATCH (v)-[:SUPPORTED_BY]->(q:Evidence)-[:QUOTES]->(t:Turn)<-[:HAS_TURN]-(s:Session)
    WHERE NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
    WITH DISTINCT q, t, s ORDER BY t.said_at, t.position, q.start, q.id
    RETURN {evidence_id: q.id, quote: q.quote, start: q.start, end: q.end, turn_id: t.source_id, session_id: s.source_id,
            speaker: t.speaker, said_at: t.said_at, offset: t.offset}
  }} AS event
