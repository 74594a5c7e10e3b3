// The events nearest in meaning to a question, of one namespace, whatever their time. What is replaced is out.
// Parameters: $namespace, $vector, $limit
CYPHER 25
MATCH (v:Event)
  SEARCH v IN (VECTOR INDEX event_embedding FOR $vector WHERE v.namespace = $namespace LIMIT $limit) SCORE AS score
WHERE NOT EXISTS { (v)<-[:REPLACES]-(:Event) }
  AND (NOT EXISTS { (v)<-[:PRODUCED]-(:Extraction) }
       OR EXISTS { (v)<-[:PRODUCED]-(x:Extraction) WHERE NOT EXISTS { (x)<-[:REPLACES]-(:Extraction) } })
RETURN v.id AS id, score
ORDER BY score DESC, id
