// The next nodes, by identifier, whose vector is still to be made anew by the coming embedding model, with the text that it is made of.
// Parameters: $after (identifier of the last one seen, '' to begin), $limit
CYPHER 25
CALL () {
  MATCH (n:Turn) WHERE n.id > $after AND n.embedding IS NOT NULL AND n.embedding_next IS NULL
  RETURN n, n.searchable AS text ORDER BY n.id LIMIT $limit
UNION ALL
  MATCH (n:Alias) WHERE n.id > $after AND n.embedding IS NOT NULL AND n.embedding_next IS NULL
  RETURN n, n.text AS text ORDER BY n.id LIMIT $limit
UNION ALL
  MATCH (n:Event) WHERE n.id > $after AND n.embedding IS NOT NULL AND n.embedding_next IS NULL
  RETURN n, n.searchable AS text ORDER BY n.id LIMIT $limit
UNION ALL
  MATCH (n:Fact) WHERE n.id > $after AND n.embedding IS NOT NULL AND n.embedding_next IS NULL
  RETURN n, n.searchable AS text ORDER BY n.id LIMIT $limit
UNION ALL
  MATCH (n:Property) WHERE n.id > $after AND n.embedding IS NOT NULL AND n.embedding_next IS NULL
  RETURN n, replace(n.name, '_', ' ') AS text ORDER BY n.id LIMIT $limit
UNION ALL
  MATCH (n:Summary) WHERE n.id > $after AND n.embedding IS NOT NULL AND n.embedding_next IS NULL
  RETURN n, n.text AS text ORDER BY n.id LIMIT $limit
}
RETURN n.id AS id, elementId(n) AS element, text ORDER BY id LIMIT $limit
