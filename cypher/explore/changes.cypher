// What changed: everything of which one value holds at a time and several were stated, with since when and in whose words. A table.
// Parameters: none
CYPHER 25
MATCH (p:Property) WHERE p.namespace IS NOT NULL AND p.name IS NOT NULL AND p.cardinality = 'one'
MATCH (e:Entity)-[:HAS_FACT]->(f:Fact)-[:OF]->(p)
MATCH (f)-[:SUPPORTED_BY]->(v:Evidence)-[:QUOTES]->(t:Turn)
WITH e, p, f, v, t ORDER BY f.valid_from
WITH e, p, collect(DISTINCT f.value_key) AS values, collect({value: f.value, since: f.valid_from, stated: f.start_stated, words: v.quote,
  speaker: t.speaker, turn: t.source_id}) AS statements
WHERE size(values) > 1
UNWIND statements AS s
RETURN e.namespace AS namespace, e.name AS whose, p.name AS what, s.value AS value,
       CASE WHEN s.stated THEN toString(date(s.since)) ELSE 'by ' + toString(date(s.since)) END AS since, s.words AS words,
       s.speaker AS speaker, s.turn AS turn
ORDER BY namespace, whose, what, s.since
