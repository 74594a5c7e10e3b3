// The facts and events of an entity, or that name it, which rest on these turns or quotations, with all that a restatement has to repeat.
// Parameters: $namespace, $entity, $places (identifiers of turns or evidence, or turns' own identifiers of their source)
CYPHER 25
MATCH (e:Entity {id: $entity}) WHERE e.namespace = $namespace
MATCH (e)-[:HAS_FACT|VALUE|INVOLVES|AT]-(s:Fact|Event)
WHERE NOT EXISTS { (s)<-[:REPLACES]-(:Fact|Event) }
  AND EXISTS { (s)-[:SUPPORTED_BY]->(v:Evidence)-[:QUOTES]->(t:Turn) WHERE v.id IN $places OR t.id IN $places OR t.source_id IN $places }
WITH DISTINCT s
RETURN CASE WHEN s:Fact THEN 'Fact' ELSE 'Event' END AS label, properties(s) AS properties,
       [(s)-[:SUPPORTED_BY]->(v:Evidence) | v.id] AS evidence,
       [(owner:Entity)-[:HAS_FACT]->(s) | owner.id] AS owners,
       [(s)-[:VALUE]->(value:Entity) | value.id] AS value_entities,
       [(s)-[:OF]->(p:Property) | p.id] AS properties_of,
       [(s)-[r:INVOLVES]->(part:Entity) | [part.id, r.role]] AS participants,
       [(s)-[:AT]->(place:Entity) | place.id] AS at,
       [(s)-[:ESTABLISHES]->(f:Fact) | f.id] AS establishes,
       [(s)<-[:ESTABLISHES]-(v:Event) | v.id] AS established_by
ORDER BY label, properties.id
