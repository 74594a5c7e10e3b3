// Vector indexes with the properties that a search filters by inside the index. Cosine; not quantised, because quantising loses neighbours.
// Parameters: $index_config
CREATE VECTOR INDEX turn_embedding IF NOT EXISTS FOR (n:Turn) ON n.embedding WITH [n.namespace, n.said_at, n.speaker_key, n.session_id]
OPTIONS {indexConfig: $index_config};
CREATE VECTOR INDEX alias_embedding IF NOT EXISTS FOR (n:Alias) ON n.embedding WITH [n.namespace, n.type]
OPTIONS {indexConfig: $index_config};
CREATE VECTOR INDEX event_embedding IF NOT EXISTS FOR (n:Event) ON n.embedding WITH [n.namespace, n.starts_at, n.ends_at]
OPTIONS {indexConfig: $index_config};
CREATE VECTOR INDEX fact_embedding IF NOT EXISTS FOR (n:Fact) ON n.embedding WITH [n.namespace, n.property, n.valid_from, n.valid_to]
OPTIONS {indexConfig: $index_config};
CREATE VECTOR INDEX property_embedding IF NOT EXISTS FOR (n:Property) ON n.embedding WITH [n.namespace]
OPTIONS {indexConfig: $index_config};
CREATE VECTOR INDEX summary_embedding IF NOT EXISTS FOR (n:Summary) ON n.embedding WITH [n.namespace, n.tier, n.starts_at]
OPTIONS {indexConfig: $index_config};
