// What was last said of each of these entities, for showing candidates to a model. What is replaced is out.
// Parameters: $ids, $limit (facts of each)
CYPHER 25
UNWIND $ids AS id
MATCH (e:Entity {id: id})
RETURN id, COLLECT {
  MATCH (e)-[:HAS_FACT]->(f:Fact)
  WHERE NOT EXISTS { (f)<-[:REPLACES|CORRECTS|RETRACTS]-(:Fact) }
    AND (NOT EXISTS { (f)<-[:PRODUCED]-(:Extraction) }
         OR EXISTS { (f)<-[:PRODUCED]-(x:Extraction) WHERE NOT EXISTS { (x)<-[:REPLACES]-(:Extraction) } })
  WITH DISTINCT f.property AS property, f.value AS value, f.polarity AS polarity, max(f.asserted_at) AS asserted_at
  ORDER BY asserted_at DESC, property, value, polarity LIMIT $limit
  RETURN CASE polarity WHEN 'holds' THEN '' ELSE polarity + ': ' END + property + ' ' + value
} AS facts
