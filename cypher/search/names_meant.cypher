// The entities that these names, or names that begin with them, could mean, with all their names: "ana" finds Ana Sousa.
// Parameters: $namespace, $names (normalised names)
CYPHER 25
UNWIND $names AS name
MATCH (a:Alias) WHERE a.namespace = $namespace AND a.normalised >= name AND a.normalised < name + '!'
  AND (a.normalised = name OR a.normalised STARTS WITH name + ' ')
MATCH (a)-[:NAMES]->(e:Entity)
MATCH (e)<-[:NAMES]-(other:Alias)
RETURN DISTINCT name, a.normalised = name AS whole, e.id AS id, e.type AS type, other.text AS text
ORDER BY name, whole DESC, text, id LIMIT 200
