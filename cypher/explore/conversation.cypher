// The newest conversation as a graph: its session, and its turns in the order they were said. Best seen as a graph.
// Parameters: none
CYPHER 25
MATCH (s:Session) WHERE s.namespace IS NOT NULL AND s.started_at IS NOT NULL
WITH s ORDER BY s.started_at DESC LIMIT 1
MATCH path = (s)-[:HAS_TURN]->(t:Turn)
OPTIONAL MATCH next = (t)-[:NEXT]->(:Turn)
RETURN path, next
