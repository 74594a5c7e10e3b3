// Statements that disagree about some time, with the words of both, and which of them the order of trust prefers.
// The rules stand in graphmem/graph/read.py; the parts between rules of dashes are the same in every file that has them.
// Parameters: $namespace, $subjects (identifiers of entities, [] for all), $properties (names, [] for all),
//   $said_by (null for no limit), $known_at (null for now),
//   $placed (what an age dates and a birth date places, see graphmem/graph/life_stages.py; {} for nothing)
CYPHER 25
// -------------------------------------------------------------------------------------------------------------------------- threads: begin
WITH coalesce($said_by, datetime('9999-12-31T00:00Z')) AS said_by, coalesce($known_at, datetime('9999-12-31T00:00Z')) AS known_at,
     datetime('9999-12-31T00:00Z') AS never
// 1. Statements of the subjects, and of whoever they are the same as.
CALL (said_by, known_at) {
  UNWIND $subjects AS id
  MATCH (e:Entity {id: id}) WHERE e.namespace = $namespace
  MATCH ANY SHORTEST (e) ((a:Entity)-[r:SAME_AS]-(b:Entity) WHERE r.created_at <= known_at AND NOT EXISTS {
    (a)-[d:DISTINCT_FROM]-(b) WHERE d.created_at <= known_at AND d.decided_at >= r.decided_at })* (owner:Entity)
  MATCH (owner)-[:HAS_FACT]->(f:Fact) WHERE size($properties) = 0 OR f.property IN $properties
  RETURN DISTINCT owner, f
UNION
  UNWIND CASE WHEN size($subjects) = 0 THEN $properties ELSE [] END AS name
  MATCH (f:Fact) WHERE f.namespace = $namespace AND f.property = name
  MATCH (owner:Entity)-[:HAS_FACT]->(f)
  RETURN DISTINCT owner, f
UNION
  WITH 1 AS everything WHERE size($subjects) = 0 AND size($properties) = 0
  MATCH (f:Fact) WHERE f.namespace = $namespace AND f.asserted_at <= said_by
  MATCH (owner:Entity)-[:HAS_FACT]->(f)
  RETURN DISTINCT owner, f
}
WITH said_by, known_at, never, owner, collect(f) AS stated
CALL (owner, known_at) {
  MATCH ANY SHORTEST (owner) ((a:Entity)-[r:SAME_AS]-(b:Entity) WHERE r.created_at <= known_at AND NOT EXISTS {
    (a)-[d:DISTINCT_FROM]-(b) WHERE d.created_at <= known_at AND d.decided_at >= r.decided_at })* (e:Entity)
  WITH e ORDER BY e.created_at, e.id LIMIT 1
  RETURN e AS subject
}
UNWIND stated AS f
// 2. Of those, the ones that stand.
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
WITH known_at, never, subject, f WHERE f.id IN standing AND NOT EXISTS { (f)-[:RETRACTS]->(:Fact) }
MATCH (f)-[:OF]->(property:Property)
OPTIONAL MATCH (f)-[:VALUE]->(v:Entity)
CALL (v, known_at) {
  OPTIONAL MATCH ANY SHORTEST (v) ((a:Entity)-[r:SAME_AS]-(b:Entity) WHERE r.created_at <= known_at AND NOT EXISTS {
    (a)-[d:DISTINCT_FROM]-(b) WHERE d.created_at <= known_at AND d.decided_at >= r.decided_at })* (e:Entity)
  WITH e ORDER BY e.created_at, e.id LIMIT 1
  RETURN e.id AS same_value
}
// 3. As items of a thread, in the order of when they begin: all values of a property with one value at a time, else each value alone.
WITH never, subject, property, f, coalesce(same_value, f.value_key) AS key, $placed[f.id] AS age
// What an age dates ("in my twenties") is placed by the birth date; a past state that it dates held for that time.
WITH never, subject, property, f, key, coalesce(age.granularity, f.granularity) AS granularity,
  CASE WHEN age.starts_at IS NOT NULL AND age.ends_at IS NOT NULL AND f.polarity = 'ended' THEN 'holds' ELSE f.polarity END AS polarity,
  CASE WHEN age IS NULL THEN f.valid_from ELSE coalesce(age.starts_at, age.ends_at) END AS valid_from,
  CASE WHEN age IS NULL THEN f.valid_to ELSE coalesce(age.ends_at, never) END AS valid_to,
  CASE WHEN age IS NULL THEN f.start_stated ELSE age.starts_at IS NOT NULL END AS start_stated,
  CASE WHEN age IS NULL THEN f.end_stated ELSE age.ends_at IS NOT NULL END AS end_stated
WITH never, subject, property, {
  fact: f, id: f.id, key: key, holds: polarity = 'holds', stated: start_stated, end_stated: end_stated, granularity: granularity,
  begins: CASE WHEN polarity = 'ended' AND valid_to < never THEN valid_to
               WHEN polarity = 'holds' AND NOT start_stated AND valid_to <= valid_from THEN valid_to - duration({microseconds: 1})
               ELSE valid_from END,
  ends: CASE WHEN polarity = 'holds' AND valid_to < never THEN valid_to END,
  until: valid_to < never,
  trust: [CASE WHEN EXISTS { (f)-[:CORRECTS]->(:Fact) } THEN 1 ELSE 0 END, f.asserted_at, f.confidence]} AS item
ORDER BY item.begins, item.trust, f.created_at, f.id
WITH subject, property, property.cardinality = 'one' AS single, collect(item) AS items
UNWIND range(0, size(items) - 1) AS rank
WITH subject, property, single, rank, items[rank] AS item
WITH subject, property, single, collect(item {.*, rank: rank}) AS items
WITH subject, property, single, items, [x IN items WHERE NOT x.holds AND x.key = ''] AS endings_of_all
UNWIND items AS x
WITH subject, property, single, endings_of_all, CASE WHEN single THEN '' ELSE x.key END AS thread, x
WHERE single OR x.holds OR x.key <> ''
WITH subject, property, single, thread, endings_of_all, collect(x) AS items
UNWIND items + CASE WHEN single THEN [] ELSE endings_of_all END AS x
WITH subject, property, single, thread, x ORDER BY x.rank
WITH subject, property, single, thread, collect(x) AS items
WITH *, [i IN range(1, size(items) - 1) WHERE items[i].begins = items[i - 1].begins | items[i].begins] AS at_once
// 4. What disagrees: y disputes x when it says something else of a time that x states, or from the same moment on.
WITH *, [x IN items WHERE x.holds AND x.ends IS NOT NULL | x {.*, firm_until: reduce(t = x.ends, y IN items |
    CASE WHEN y.begins >= x.begins AND y.begins < t AND y.trust > x.trust
              AND CASE WHEN y.holds THEN y.key <> x.key ELSE y.key IN ['', x.key] END THEN y.begins ELSE t END)}] AS firm,
  reduce(pairs = [], x IN [x IN items WHERE x.holds AND (x.ends IS NOT NULL OR x.begins IN at_once)] | pairs + [y IN items
    WHERE y.rank > x.rank AND (y.begins = x.begins OR y.begins < x.ends)
      AND CASE WHEN y.holds THEN y.key <> x.key ELSE y.key IN ['', x.key] END
    | {winner: CASE WHEN y.begins > x.begins AND x.trust > y.trust THEN x ELSE y END,
       loser: CASE WHEN y.begins > x.begins AND x.trust > y.trust THEN y ELSE x END,
       from: y.begins, until: CASE WHEN x.ends <= coalesce(y.ends, x.ends) THEN x.ends ELSE y.ends END}]) AS disputes
// ---------------------------------------------------------------------------------------------------------------------------- threads: end
UNWIND disputes AS d
WITH subject, property, d, [side IN [d.winner, d.loser] | side.fact] AS sides
RETURN subject.id AS subject_id, subject.name AS subject, property.name AS property, d.from AS since, d.until AS until,
  CASE WHEN d.winner.trust[0] > d.loser.trust[0] THEN 'correction' WHEN d.winner.trust[0] < d.loser.trust[0] THEN 'later start'
       WHEN d.winner.trust[1] > d.loser.trust[1] THEN 'later statement' WHEN d.winner.trust[1] < d.loser.trust[1] THEN 'later start'
       WHEN d.winner.trust[2] > d.loser.trust[2] THEN 'confidence' WHEN d.winner.begins > d.loser.begins THEN 'later start'
       ELSE 'later stored' END AS because,
  COLLECT {
    UNWIND sides AS f
    RETURN {
      fact: f {.id, .value, .value_type, .number, .moment, .flag, .items, .unit, .asserted_at, .created_at, .polarity, .confidence,
               .inferred, .valid_from, .start_stated, .valid_to, .end_stated, .granularity},
      evidence: COLLECT {
        MATCH (f)-[link:SUPPORTED_BY]->(v:Evidence)-[:QUOTES]->(t:Turn)<-[:HAS_TURN]-(s:Session)
        WHERE $known_at IS NULL OR link.created_at <= $known_at
        WITH v, t, s ORDER BY t.said_at, t.position, v.start, v.id
        RETURN {evidence_id: v.id, quote: v.quote, start: v.start, end: v.end, turn_id: t.source_id, session_id: s.source_id,
                speaker: t.speaker, said_at: t.said_at, offset: t.offset}
      }}
  } AS sides
ORDER BY subject, subject_id, property, since, sides[0].fact.id, sides[1].fact.id
