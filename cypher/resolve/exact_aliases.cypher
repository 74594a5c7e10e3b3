// The entities that bear exactly these names, whatever their case, with all their names and when each was last spoken of.
// Parameters: $namespace, $names (normalised names)
CYPHER 25
UNWIND $names AS name
MATCH (a:Alias) WHERE a.namespace = $namespace AND a.normalised = name
MATCH (a)-[:NAMES]->(e:Entity)
RETURN DISTINCT name, e.id AS id, e.name AS entity, e.type AS type, e.external_id AS external_id, e.attributes AS attributes,
       [(e)<-[:NAMES]-(other:Alias) | other.text] AS aliases
ORDER BY name, id
