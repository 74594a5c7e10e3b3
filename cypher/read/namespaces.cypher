// The namespaces of this database with their size.
// Parameters: none
CYPHER 25
MATCH (c:Commit) WHERE c.namespace IS NOT NULL AND c.sequence = 1
WITH c.namespace AS namespace
CALL (namespace) {
  MATCH (s:Session) WHERE s.namespace = namespace AND s.started_at IS NOT NULL
  RETURN count(s) AS sessions, min(s.started_at) AS first, max(s.started_at) AS last
}
RETURN namespace, sessions, first, last,
       COUNT { MATCH (t:Turn) WHERE t.namespace = namespace AND t.said_at IS NOT NULL } AS turns,
       COUNT { MATCH (e:Event) WHERE e.namespace = namespace AND e.asserted_at IS NOT NULL } AS events,
       COUNT { MATCH (f:Fact) WHERE f.namespace = namespace AND f.asserted_at IS NOT NULL } AS facts,
       COUNT { MATCH (e:Entity) WHERE e.namespace = namespace AND e.name IS NOT NULL } AS entities
ORDER BY namespace
