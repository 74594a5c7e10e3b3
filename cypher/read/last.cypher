// The last events of entities, or of everything, that fit, the last first.
// An event told several times comes once, one without a time never.
// The rules stand in graphmem/graph/read.py; the parts between rules of dashes are the same in every file that has them.
// Parameters: $namespace, $subjects (identifiers of entities, [] for all), $verbs, $words (lower case, [] for any; an event has
//   one of the verbs and all of the words), $since, $until (what overlaps this time, null for no limit),
//   $said_by (null for no limit), $known_at (null for now),
//   $placed (what an age dates and a birth date places, see graphmem/graph/life_stages.py; {} for nothing), $limit
CYPHER 25
WITH coalesce($said_by, datetime('9999-12-31T00:00Z')) AS said_by, coalesce($known_at, datetime('9999-12-31T00:00Z')) AS known_at
CALL (said_by, known_at) {
  UNWIND $subjects AS id
  MATCH (e:Entity {id: id}) WHERE e.namespace = $namespace
  MATCH ANY SHORTEST (e) ((a:Entity)-[r:SAME_AS]-(b:Entity) WHERE r.created_at <= known_at AND NOT EXISTS {
    (a)-[d:DISTINCT_FROM]-(b) WHERE d.created_at <= known_at AND d.decided_at >= r.decided_at })* (m:Entity)
  MATCH (m)<-[:INVOLVES|AT]-(v:Event)
  RETURN DISTINCT v
UNION
  WITH 1 AS everything WHERE size($subjects) = 0
  MATCH (v:Event) WHERE v.namespace = $namespace AND v.asserted_at <= said_by
  RETURN v
}
// ------------------------------------------------------------------------------------------------------------------------- happened: begin
// The tellings of one event that stand are one, dated by the telling with the surest time.
CALL (v, known_at) {
  MATCH ANY SHORTEST (v) ((a:Event)-[r:SAME_AS]-(b:Event) WHERE r.created_at <= known_at)* (w:Event)
  RETURN min(w.id) AS same, collect(w) AS tellings
}
WITH said_by, known_at, same, collect(v) AS found, head(collect(tellings)) AS tellings
UNWIND tellings AS f
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
WITH found, same, f AS w WHERE f.id IN standing
WITH found, same, w ORDER BY coalesce(w.time_confidence, 0.0) DESC, w.asserted_at, w.id
WITH found, same, collect(w) AS tellings
WITH tellings, tellings[0] AS surest, $placed[tellings[0].id] AS age WHERE any(w IN tellings WHERE w IN found)
// What an age dates ("when I was 18") is placed by the birth date.
WITH tellings, surest {.id, .kind, .subject, .verb, .object, .summary, .time_expression, .time_rule, .confidence,
  starts_at: coalesce(surest.starts_at, age.starts_at), ends_at: coalesce(surest.ends_at, age.ends_at),
  granularity: coalesce(age.granularity, surest.granularity)} AS v
// --------------------------------------------------------------------------------------------------------------------------- happened: end
WITH v, tellings
WHERE v.starts_at IS NOT NULL AND ($until IS NULL OR v.starts_at < $until)
  AND ($since IS NULL OR v.ends_at > $since OR v.starts_at >= $since)
  AND (size($verbs) = 0 OR toLower(v.verb) IN $verbs OR v.kind IN $verbs)
  AND all(word IN $words WHERE any(w IN tellings WHERE
    toLower(reduce(text = w.subject + " " + w.verb + " " + w.object + " " + w.summary, a IN w.aliases | text + " " + a)) CONTAINS word))
WITH v, tellings ORDER BY v.starts_at DESC, v.id LIMIT $limit
// ----------------------------------------------------------------------------------------------------------------------------- told: begin
WITH v {
  .id, .kind, .subject, .verb, .object, .summary, .starts_at, .ends_at, .granularity, .time_expression, .time_rule, .confidence,
  tellings: [w IN tellings | w.id],
  participants: COLLECT {
    UNWIND tellings AS w
    MATCH (w)-[:INVOLVES]->(e:Entity)
    RETURN DISTINCT e.name ORDER BY e.name
  },
  evidence: COLLECT {
    UNWIND tellings AS w
    MATCH (w)-[link:SUPPORTED_BY]->(q:Evidence)-[:QUOTES]->(t:Turn)<-[:HAS_TURN]-(s:Session)
    WHERE $known_at IS NULL OR link.created_at <= $known_at
    WITH DISTINCT q, t, s ORDER BY t.said_at, t.position, q.start, q.id
    RETURN {evidence_id: q.id, quote: q.quote, start: q.start, end: q.end, turn_id: t.source_id, session_id: s.source_id,
            speaker: t.speaker, said_at: t.said_at, offset: t.offset}
  }} AS event
// ------------------------------------------------------------------------------------------------------------------------------- told: end
RETURN event
ORDER BY event.starts_at DESC, event.id
