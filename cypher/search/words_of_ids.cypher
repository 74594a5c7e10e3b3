// What identifiers, or turns' own names, stand for in a namespace (a turn, quotation, fact, event or entity), with the words each rests on.
// Parameters: $namespace, $ids (identifiers, [] for none), $names (source_id of turns, [] for none)
CYPHER 25
CALL () {
  UNWIND $ids AS given
  MATCH (n:Turn {id: given}) WHERE n.namespace = $namespace
  RETURN given, 'turn' AS kind, n, [n] AS turns, [] AS evidence
UNION ALL
  UNWIND $names AS given
  MATCH (n:Turn) WHERE n.namespace = $namespace AND n.source_id = given AND NOT EXISTS { (n)<-[:REPLACES]-(:Turn) }
  RETURN given, 'turn' AS kind, n, [n] AS turns, [] AS evidence
UNION ALL
  UNWIND $ids AS given
  MATCH (n:Evidence {id: given}) WHERE n.namespace = $namespace
  RETURN given, 'quotation' AS kind, n, [] AS turns, [n] AS evidence
UNION ALL
  UNWIND $ids AS given
  MATCH (n:Fact {id: given}) WHERE n.namespace = $namespace
  RETURN given, 'fact' AS kind, n, [] AS turns, COLLECT { MATCH (n)-[:SUPPORTED_BY]->(q:Evidence) RETURN q } AS evidence
UNION ALL
  UNWIND $ids AS given
  MATCH (n:Event {id: given}) WHERE n.namespace = $namespace
  RETURN given, 'event' AS kind, n, [] AS turns, COLLECT { MATCH (n)-[:SUPPORTED_BY]->(q:Evidence) RETURN q } AS evidence
UNION ALL
  UNWIND $ids AS given
  MATCH (n:Entity {id: given}) WHERE n.namespace = $namespace
  RETURN given, 'entity' AS kind, n, [] AS turns, [] AS evidence
}
RETURN given, kind, n.id AS id, COLLECT {
  UNWIND turns AS t
  MATCH (t)<-[:HAS_TURN]-(s:Session)
  RETURN {evidence_id: null, quote: t.text, start: 0, end: size(t.text), turn_id: t.source_id, session_id: s.source_id,
          speaker: t.speaker, said_at: t.said_at, offset: t.offset}
} + COLLECT {
  UNWIND evidence AS q
  MATCH (q)-[:QUOTES]->(t:Turn)<-[:HAS_TURN]-(s:Session)
  RETURN {evidence_id: q.id, quote: q.quote, start: q.start, end: q.end, turn_id: t.source_id, session_id: s.source_id,
          speaker: t.speaker, said_at: t.said_at, offset: t.offset}
} AS words
