// How much of each session of a namespace has been read: its turns (revised ones counted with their revisions), and the turns that
// extractions that stand have read. Words outside transcripts (source 'statement') are never read, and left out.
// Parameters: $namespace
CYPHER 25
MATCH (s:Session) WHERE s.namespace = $namespace AND s.started_at IS NOT NULL AND s.source <> 'statement'
OPTIONAL MATCH (x:Extraction) WHERE x.session_id = s.id AND NOT EXISTS { (x)<-[:REPLACES]-(:Extraction) }
WITH s, coalesce(sum(size(x.window)), 0) AS read, collect(x.window) AS windows, COUNT { (s)-[:HAS_TURN]->() } AS turns
RETURN s.source_id AS source_id, turns, read,
       CASE WHEN turns = read THEN [] ELSE reduce(all = [], window IN windows | all + window) END AS ids
ORDER BY s.started_at, s.id
