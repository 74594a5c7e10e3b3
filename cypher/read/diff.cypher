// What the memory learned between two of its times: the facts and events that stand at the later and did not at the earlier (learned, or
// standing again), those that stood and do not any more (undone), and the new entities.
// The rules stand in graphmem/graph/read.py; the parts between rules of dashes are the same in every file that has them.
// Parameters: $namespace, $earlier, $later (transaction times; from after the first up to the second), $said_by (null for no limit)
CYPHER 25
WITH coalesce($said_by, datetime('9999-12-31T00:00Z')) AS said_by
CALL (said_by) {
  CALL () {
    MATCH (f:Fact) WHERE f.namespace = $namespace AND f.created_at > $earlier AND f.created_at <= $later
    RETURN f
  UNION
    MATCH (f:Event) WHERE f.namespace = $namespace AND f.created_at > $earlier AND f.created_at <= $later
    RETURN f
  UNION
    MATCH (s:Session) WHERE s.namespace = $namespace AND s.started_at IS NOT NULL
    MATCH (x:Extraction) WHERE x.session_id = s.id AND x.created_at > $earlier AND x.created_at <= $later
    MATCH (x)-[:REPLACES*0..1]->(:Extraction)-[:PRODUCED]->(f)
    RETURN f
  }
  MATCH (f)-[:CORRECTS|RETRACTS|REPLACES*0..]->(g)
  WITH DISTINCT said_by, g AS f
  UNWIND [$earlier, $later] AS known_at
// ------------------------------------------------------------------------------------------------------------------------- standing: begin
// Whether it stands: said, known, extracted by an extraction in force (or by none), and not undone by what stands itself. What undoes comes
// first, so that one pass over the chain of corrections settles which of them stand.
CALL (f, said_by, known_at) {
  MATCH path = (f)<-[:CORRECTS|RETRACTS|REPLACES*0..]-(g)
  WHERE all(step IN relationships(path) WHERE step.created_at <= known_at)
  WITH g, max(length(path)) AS distance ORDER BY distance DESC
  WITH collect({
    id: g.id,
    counts: g.created_at <= known_at AND g.asserted_at <= said_by AND (
      NOT EXISTS { (g)<-[:PRODUCED]-(:Extraction) }
      OR EXISTS { (g)<-[:PRODUCED]-(x:Extraction) WHERE x.created_at <= known_at
                  AND NOT EXISTS { (x)<-[r:REPLACES]-(:Extraction) WHERE r.created_at <= known_at } }),
    undone_by: [(g)<-[step:CORRECTS|RETRACTS|REPLACES]-(h) WHERE step.created_at <= known_at | h.id]}) AS chain
  RETURN reduce(standing = [], g IN chain |
    CASE WHEN g.counts AND none(h IN g.undone_by WHERE h IN standing) THEN standing + g.id ELSE standing END) AS standing
}
// --------------------------------------------------------------------------------------------------------------------------- standing: end
  WITH f, known_at, f.id IN standing AS stands, [g IN standing WHERE g <> f.id] AS others
  WITH f, collect(CASE WHEN known_at = $earlier THEN stands END)[0] AS before,
    collect(CASE WHEN known_at = $later THEN stands END)[0] AS now,
    collect(CASE WHEN known_at = $later THEN others END)[0] AS others
  WHERE before <> now AND NOT EXISTS { (f)-[:RETRACTS]->(:Fact) }
  RETURN f, CASE WHEN NOT now THEN 'undone' WHEN f.created_at > $earlier THEN 'learned' ELSE 'restored' END AS change,
    [(f)<-[:CORRECTS|RETRACTS|REPLACES]-(g) WHERE g.id IN others | g.id] AS undone_by
UNION
  MATCH (f:Entity) WHERE f.namespace = $namespace AND f.name IS NOT NULL AND f.created_at > $earlier AND f.created_at <= $later
  RETURN f, 'entity' AS change, [] AS undone_by
}
OPTIONAL MATCH (owner:Entity)-[:HAS_FACT]->(f)
RETURN change, owner.name AS subject, f.property AS property, f.name AS name, undone_by,
  CASE WHEN f:Fact THEN f {.id, .value, .value_type, .number, .moment, .flag, .items, .unit, .asserted_at, .created_at, .polarity,
    .confidence, .inferred, .valid_from, .start_stated, .valid_to, .end_stated, .granularity} END AS fact,
  CASE WHEN f:Event THEN f {.id, .kind, .subject, .verb, .object, .summary, .starts_at, .ends_at, .granularity, .time_expression,
    .time_rule, .confidence} END AS event,
  COLLECT { MATCH (f)-[:INVOLVES]->(e:Entity) RETURN DISTINCT e.name ORDER BY e.name } AS participants,
  COLLECT {
    MATCH (f)-[link:SUPPORTED_BY]->(v:Evidence)-[:QUOTES]->(t:Turn)<-[:HAS_TURN]-(s:Session)
    WHERE link.created_at <= $later
    WITH DISTINCT v, t, s ORDER BY t.said_at, t.position, v.start, v.id
    RETURN {evidence_id: v.id, quote: v.quote, start: v.start, end: v.end, turn_id: t.source_id, session_id: s.source_id,
            speaker: t.speaker, said_at: t.said_at, offset: t.offset}
  } AS evidence
ORDER BY f.created_at, change, f.asserted_at, f.id
