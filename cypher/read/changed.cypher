// When something changed: each moment at which a value began, gave way to another or stopped, with what held before and after.
// The rules stand in graphmem/graph/read.py; the parts between rules of dashes are the same in every file that has them.
// A beginning that nobody stated, with nothing known before it, is no change.
// Parameters: $namespace, $subjects (identifiers of entities, [] for all), $properties (names, [] for all),
//   $since, $until (changes from and before these times, null for no limit), $said_by (null for no limit), $known_at (null for now),
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
// -------------------------------------------------------------------------------------------------------------------------- periods: begin
// 5. What begins within a period that a more trusted statement states waits until that is over; what then never holds is left out.
WITH *, [y IN items | y {.*, at: reduce(t = y.begins, x IN firm |
    CASE WHEN x.begins <= y.begins AND y.begins < x.firm_until AND x.firm_until > t AND x.trust > y.trust
              AND CASE WHEN y.holds THEN y.key <> x.key ELSE y.key IN ['', x.key] END THEN x.firm_until ELSE t END)}] AS items
WITH subject, property, single, thread, disputes, [x IN items WHERE NOT x.holds OR x.ends IS NULL OR x.at < x.ends | x {.*,
  reach: CASE WHEN x.ends IS NOT NULL THEN null WHEN x.fact.asserted_at > x.at THEN x.fact.asserted_at ELSE x.at END}] AS items
UNWIND items AS x
WITH subject, property, single, thread, disputes, x ORDER BY x.at, x.rank
WITH subject, property, single, thread, disputes, collect(x) AS items
WITH *, [i IN range(1, size(items) - 1) WHERE items[i].at = items[i - 1].at | items[i].at] AS at_once
WITH subject, property, single, thread, disputes, [x IN items WHERE NOT x.holds OR NOT x.at IN at_once OR none(y IN items
    WHERE y.at = x.at AND y.rank > x.rank AND CASE WHEN y.holds THEN y.key <> x.key ELSE y.key IN ['', x.key] END)] AS items
// 6. and 7. Periods: equal statements in a row make one; another value, an ending or a stated end closes it.
WITH *, reduce(s = {key: null, live: false, n: 0, out: []}, x IN items | CASE
    WHEN x.holds AND s.live AND x.key = s.key AND (s.ends IS NULL OR s.open_at >= s.ends OR s.ends >= x.at) THEN {
      key: s.key, live: true, n: s.n, out: s.out + [{n: s.n, item: x}],
      ends: CASE WHEN s.ends >= coalesce(x.ends, s.ends) THEN s.ends ELSE x.ends END,
      open_at: CASE WHEN s.open_at >= coalesce(x.reach, s.open_at) THEN s.open_at ELSE x.reach END}
    WHEN x.holds THEN {
      key: x.key, live: true, n: s.n + 1, out: s.out + [{n: s.n + 1, item: x}] + CASE WHEN s.live THEN [{n: s.n, closes: x}] ELSE [] END,
      ends: x.ends, open_at: x.reach}
    WHEN s.live AND x.key IN ['', s.key] THEN {
      key: null, live: false, n: s.n, ends: null, open_at: null, out: s.out + [{n: s.n, closes: x}]}
    ELSE s END).out AS steps
UNWIND steps AS step
WITH subject, property, single, thread, disputes, step.n AS n, collect(step.item) AS members, head(collect(step.closes)) AS closer
WITH *, head([x IN members WHERE x.at = members[0].at AND x.stated] + members) AS first,
  reduce(last = null, x IN members | CASE WHEN x.ends >= coalesce(last.ends, x.ends) THEN x ELSE last END) AS longest,
  reduce(t = null, x IN members | CASE WHEN t >= coalesce(x.reach, t) THEN t ELSE x.reach END) AS open_at
WITH *, CASE WHEN open_at >= longest.ends THEN null ELSE longest END AS longest
WITH subject, property, single, thread, n, members, first, first.at AS starts,
  CASE WHEN longest.ends <= coalesce(closer.at, longest.ends) THEN longest.ends ELSE closer.at END AS ends,
  CASE WHEN longest.ends <= coalesce(closer.at, longest.ends) THEN longest.end_stated ELSE closer.stated END AS end_stated,
  CASE WHEN longest.ends <= coalesce(closer.at, longest.ends) THEN longest.granularity
       WHEN NOT closer.holds AND closer.until THEN closer.granularity END AS end_granularity,
  CASE WHEN longest.ends <= coalesce(closer.at, longest.ends) THEN null ELSE closer.fact END AS ended_by,
  [d IN disputes WHERE d.winner.id IN [x IN members | x.id]] AS disputes
// ---------------------------------------------------------------------------------------------------------------------------- periods: end
WITH subject, property, true AS known, members, first, first.fact AS founding, starts, ends, end_stated, end_granularity, ended_by, disputes
// ---------------------------------------------------------------------------------------------------------------------------- shown: begin
WITH {
  subject_id: subject.id, subject: subject.name, property: property.name, cardinality: property.cardinality, value_key: first.key,
  known: known, starts: starts, start_stated: first.stated, granularity: first.granularity, ends: ends, end_stated: end_stated,
  end_granularity: end_granularity, ended_by: ended_by.id, members: [x IN members | x.id],
  fact: founding {.id, .value, .value_type, .number, .moment, .flag, .items, .unit, .asserted_at, .created_at, polarity: 'holds'},
  confidence: reduce(c = 0.0, x IN members | CASE WHEN x.fact.confidence > c THEN x.fact.confidence ELSE c END),
  inferred: all(x IN members WHERE x.fact.inferred),
  last_said: reduce(t = null, x IN members | CASE WHEN t >= x.fact.asserted_at THEN t ELSE x.fact.asserted_at END),
  evidence: COLLECT {
    UNWIND members AS x
    WITH x.fact AS f
    MATCH (f)-[link:SUPPORTED_BY]->(v:Evidence)-[:QUOTES]->(t:Turn)<-[:HAS_TURN]-(s:Session)
    WHERE $known_at IS NULL OR link.created_at <= $known_at
    WITH DISTINCT v, t, s ORDER BY t.said_at, t.position, v.start, v.id
    RETURN {evidence_id: v.id, quote: v.quote, start: v.start, end: v.end, turn_id: t.source_id, session_id: s.source_id,
            speaker: t.speaker, said_at: t.said_at, offset: t.offset}
  },
  conflicts: COLLECT {
    UNWIND disputes AS d
    WITH DISTINCT d.loser.fact AS f
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
  }} AS period
// ------------------------------------------------------------------------------------------------------------------------------ shown: end
WITH period ORDER BY period.starts, period.members[0]
WITH period.subject_id AS subject_id, period.property AS property, period.cardinality = 'one' AS single, collect(period) AS periods
UNWIND periods AS p
WITH p, head([q IN periods WHERE single AND q.ends = p.starts]) AS earlier,
  head([q IN periods WHERE single AND q.starts = p.ends]) AS later,
  p.start_stated OR any(q IN periods WHERE q.starts < p.starts AND (single OR q.value_key = p.value_key)) AS begins
UNWIND CASE WHEN begins THEN [{at: p.starts, before: earlier, after: p}] ELSE [] END
  + CASE WHEN p.ends IS NULL OR later IS NOT NULL THEN [] ELSE [{at: p.ends, before: p, after: null}] END AS change
WITH change WHERE ($since IS NULL OR change.at >= $since) AND ($until IS NULL OR change.at < $until)
RETURN change.at AS at, change.before AS before, change.after AS after
ORDER BY at, coalesce(change.after, change.before).subject, coalesce(change.after, change.before).property, change.after.members[0]
