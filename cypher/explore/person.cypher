// The entity about whom most is known: its facts, what they are about, and the words they rest on. Best seen as a graph.
// Parameters: none
CYPHER 25
MATCH (e:Entity) WHERE e.namespace IS NOT NULL AND e.name IS NOT NULL
WITH e ORDER BY COUNT { (e)-[:HAS_FACT]->(:Fact) } DESC, e.id LIMIT 1
MATCH fact = (e)-[:HAS_FACT]->(f:Fact)-[:OF]->(:Property)
MATCH words = (f)-[:SUPPORTED_BY]->(:Evidence)-[:QUOTES]->(:Turn)
OPTIONAL MATCH value = (f)-[:VALUE]->(:Entity)
RETURN fact, words, value
LIMIT 100
