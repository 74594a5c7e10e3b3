// The quotations that were decided to mean an entity and that stand in these turns or are these.
// Parameters: $namespace, $entity, $places (identifiers of turns or evidence, or turns' own identifiers of their source)
CYPHER 25
MATCH (e:Entity {id: $entity}) WHERE e.namespace = $namespace
MATCH (e)<-[:RESOLVED_TO]-(:Resolution)-[:SUPPORTED_BY]->(v:Evidence)-[:QUOTES]->(t:Turn)
WHERE v.id IN $places OR t.id IN $places OR t.source_id IN $places
RETURN DISTINCT v.id AS id, t.id AS turn_id, v.start AS start, v.end AS end, v.quote AS quote, t.said_at AS said_at,
       t.source_id AS source_id
ORDER BY said_at, start
