// The session of this identifier, or of this name in its source, in a namespace.
// Parameters: $namespace, $ids (the identifier as given, and the one made from the name)
CYPHER 25
UNWIND $ids AS id
MATCH (s:Session {id: id}) WHERE s.namespace = $namespace
RETURN s.id AS id LIMIT 1
