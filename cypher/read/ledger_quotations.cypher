// Every quotation of a namespace beside the words of the turn it stands in, for verifying that it is there.
// Parameters: $scope (the namespace's label)
CYPHER 25
MATCH (e:Evidence:$($scope))
OPTIONAL MATCH (e)-[:QUOTES]->(t:Turn)
RETURN e.id AS id, e.quote AS quote, e.start AS start, e.end AS end, t.source_id AS turn_id, t.session_id AS session_id, t.text AS text
