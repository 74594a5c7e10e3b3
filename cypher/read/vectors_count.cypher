// How many nodes have a vector that is still to be made anew by the coming embedding model.
// Parameters: none
CYPHER 25
RETURN COUNT { MATCH (n:Turn) WHERE n.id > '' AND n.embedding IS NOT NULL AND n.embedding_next IS NULL }
     + COUNT { MATCH (n:Alias) WHERE n.id > '' AND n.embedding IS NOT NULL AND n.embedding_next IS NULL }
     + COUNT { MATCH (n:Event) WHERE n.id > '' AND n.embedding IS NOT NULL AND n.embedding_next IS NULL }
     + COUNT { MATCH (n:Fact) WHERE n.id > '' AND n.embedding IS NOT NULL AND n.embedding_next IS NULL }
     + COUNT { MATCH (n:Property) WHERE n.id > '' AND n.embedding IS NOT NULL AND n.embedding_next IS NULL }
     + COUNT { MATCH (n:Summary) WHERE n.id > '' AND n.embedding IS NOT NULL AND n.embedding_next IS NULL } AS vectors
