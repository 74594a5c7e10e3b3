// One fact as it was stated: whose it is, of which property, whether it stands and what undoes it. No row if the namespace has none such.
// The rules stand in graphmem/graph/read.py; the parts between rules of dashes are the same in every file that has them.
// Parameters: $namespace, $fact (identifier), $said_by (null for no limit), $known_at (null for now)
CYPHER 25
WITH coalesce($said_by, datetime('9999-12-31T00:00Z')) AS said_by, coalesce($known_at, datetime('9999-12-31T00:00Z')) AS known_at
MATCH (f:Fact {id: $fact}) WHERE f.namespace = $namespace AND f.created_at <= known_at
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
MATCH (owner:Entity)-[:HAS_FACT]->(f)-[:OF]->(p:Property)
OPTIONAL MATCH (f)-[:VALUE]->(value:Entity)
RETURN owner.id AS subject_id, owner.name AS subject, p.name AS property, p.cardinality AS cardinality, p.value_type AS value_type,
  value.id AS value_entity, f.id IN standing AS stands, EXISTS { (f)-[:RETRACTS]->(:Fact) } AS retraction,
  [(f)<-[:CORRECTS|RETRACTS|REPLACES]-(g) | g.id] AS undone_by,
  f {.id, .value, .value_type, .number, .moment, .flag, .items, .unit, .asserted_at, .created_at, .polarity, .confidence, .inferred,
     .valid_from, .start_stated, .valid_to, .end_stated, .granularity} AS fact,
  COLLECT {
    MATCH (f)-[:SUPPORTED_BY]->(v:Evidence)-[:QUOTES]->(t:Turn)<-[:HAS_TURN]-(s:Session)
    WITH DISTINCT v, t, s ORDER BY t.said_at, t.position, v.start, v.id
    RETURN {evidence_id: v.id, quote: v.quote, start: v.start, end: v.end, turn_id: t.source_id, session_id: s.source_id,
            speaker: t.speaker, said_at: t.said_at, offset: t.offset}
  } AS evidence
