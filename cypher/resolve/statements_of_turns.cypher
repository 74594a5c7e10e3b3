// The facts and events that rest on these turns, whoever read them, with the words they quote and what was said or decided against each.
// Parameters: $ids (identifiers of turns)
CYPHER 25
UNWIND $ids AS id
MATCH (:Turn {id: id})<-[:QUOTES]-(q:Evidence)<-[:SUPPORTED_BY]-(s:Fact|Event)
OPTIONAL MATCH (owner:Entity)-[:HAS_FACT]->(s)
RETURN CASE WHEN s:Fact THEN 'Fact' ELSE 'Event' END AS label, s.id AS id, owner.id AS owner, s.property AS property, s.value AS value,
       s.value_key AS value_key, s.polarity AS polarity, s.kind AS kind, s.verb AS verb, s.object AS object,
       id AS turn, q.start AS start, q.end AS end,
       [(s)<-[r:CORRECTS|RETRACTS|REPLACES]-(by) |
         {id: by.id, kind: type(r), property: by.property, value: by.value, value_key: by.value_key, verb: by.verb, object: by.object}] AS undone_by
ORDER BY id, turn, start, end
