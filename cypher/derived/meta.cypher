// Writes down which embedding model the vectors are of, which one is to come, and whether it is being put in use (null for none and no).
// Parameters: $embedding_model, $dimensions, $next_model, $next_dimensions, $switching
CYPHER 25
MATCH (m:Meta {id: 'meta'})
SET m.embedding_model = $embedding_model, m.dimensions = $dimensions, m.next_model = $next_model, m.next_dimensions = $next_dimensions,
    m.switching = $switching
