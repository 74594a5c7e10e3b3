// The turns at these places of sessions, with what ranking needs of each: its words, its nearness to the question, its speaker, whether an
// event that it supports states a time, whether one happened in the time asked about, and whether it passes the filter. Revised are out.
// Parameters: $namespace, $vector, $places (a list of maps with session_id and positions), $since, $until, $speaker_from, $speaker_to,
//   $session_from, $session_to (the filter, as in turns_dense), $asked_from, $asked_until (the time asked about, null for none)
CYPHER 25
UNWIND $places AS place
MATCH (t:Turn) WHERE t.session_id = place.session_id AND t.position IN place.positions
  AND t.namespace = $namespace AND NOT EXISTS { (t)<-[:REPLACES]-(:Turn) }
RETURN t.id AS id, t.session_id AS session_id, t.position AS position, t.speaker AS speaker, t.role AS role, t.text AS text,
       t.searchable AS searchable, t.said_at AS said_at, 2 * vector.similarity.cosine(t.embedding, $vector) - 1 AS meaning,
       EXISTS { (t)<-[:QUOTES]-(:Evidence)<-[:SUPPORTED_BY]-(v:Event) WHERE v.time_expression IS NOT NULL } AS timed,
       EXISTS { (t)<-[:QUOTES]-(:Evidence)<-[:SUPPORTED_BY]-(v:Event)
                WHERE v.time_expression IS NOT NULL AND v.starts_at < $asked_until AND v.ends_at > $asked_from } AS happened,
       t.said_at >= $since AND t.said_at < $until AND t.speaker_key >= $speaker_from AND t.speaker_key <= $speaker_to
         AND t.session_id >= $session_from AND t.session_id <= $session_to AS allowed
