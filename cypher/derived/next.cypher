// Joins the turns of sessions in the order they were said. Derived from position; may be rebuilt at any time.
// Parameters: $pairs (a list of maps with start and end, identifiers of turns)
CYPHER 25
UNWIND $pairs AS pair
MATCH (a:Turn {id: pair.start})
MATCH (b:Turn {id: pair.end})
MERGE (a)-[:NEXT]->(b)
