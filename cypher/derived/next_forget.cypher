// Takes away the NEXT edges of a session whose order of turns has changed; they are derived and made anew.
// Parameters: $session_id
CYPHER 25
MATCH (a:Turn) WHERE a.session_id = $session_id
MATCH (a)-[r:NEXT]->(:Turn)
DELETE r
