// The calendar of events whose time was stated: when, what, by which rule the words became a date, and the words. A table.
// Parameters: none
CYPHER 25
MATCH (x:Event) WHERE x.namespace IS NOT NULL AND x.starts_at IS NOT NULL AND x.time_expression IS NOT NULL
MATCH (x)-[:SUPPORTED_BY]->(v:Evidence)-[:QUOTES]->(t:Turn)
RETURN x.namespace AS namespace, x.starts_at AS starts, x.ends_at AS ends, x.granularity AS granularity, x.kind AS kind, x.summary AS event,
       x.time_expression AS expression, x.time_rule AS rule, v.quote AS words, t.source_id AS turn
ORDER BY namespace, starts
LIMIT 200
