// The people whom these names, or names that begin with them, could mean, with all their names: "ana" finds Ana Sousa.
// Parameters: $namespace, $names (normalised names)
CYPHER 25
UNWIND $names AS name
MATCH (a:Alias) WHERE a.namespace = $namespace AND a.normalised >= name AND a.normalised < name + '!'
  AND (a.normalised = name OR a.normalised STARTS WITH name + ' ')
MATCH (a)-[:NAMES]->(e:Entity {type: 'Person'})
MATCH (e)<-[:NAMES]-(other:Alias)
RETURN DISTINCT name, a.normalised = name AS whole, e.id AS id, other.text AS text
ORDER BY name, whole DESC, text LIMIT 200
