// Range indexes for the look-ups that the product's queries start from: by namespace, and what they filter or order by.
// Parameters: none
CREATE INDEX session_started IF NOT EXISTS FOR (n:Session) ON (n.namespace, n.started_at);
CREATE INDEX turn_session IF NOT EXISTS FOR (n:Turn) ON (n.session_id, n.position);
CREATE INDEX turn_said IF NOT EXISTS FOR (n:Turn) ON (n.namespace, n.said_at);
CREATE INDEX turn_source IF NOT EXISTS FOR (n:Turn) ON (n.namespace, n.source_id);
CREATE INDEX alias_text IF NOT EXISTS FOR (n:Alias) ON (n.namespace, n.normalised);
CREATE INDEX entity_name IF NOT EXISTS FOR (n:Entity) ON (n.namespace, n.name);
CREATE INDEX entity_type IF NOT EXISTS FOR (n:Entity) ON (n.namespace, n.type);
CREATE INDEX event_start IF NOT EXISTS FOR (n:Event) ON (n.namespace, n.starts_at);
CREATE INDEX event_asserted IF NOT EXISTS FOR (n:Event) ON (n.namespace, n.asserted_at);
CREATE INDEX fact_property IF NOT EXISTS FOR (n:Fact) ON (n.namespace, n.property);
CREATE INDEX fact_asserted IF NOT EXISTS FOR (n:Fact) ON (n.namespace, n.asserted_at);
CREATE INDEX fact_created IF NOT EXISTS FOR (n:Fact) ON (n.namespace, n.created_at);
CREATE INDEX event_created IF NOT EXISTS FOR (n:Event) ON (n.namespace, n.created_at);
CREATE INDEX turn_created IF NOT EXISTS FOR (n:Turn) ON (n.namespace, n.created_at);
CREATE INDEX property_name IF NOT EXISTS FOR (n:Property) ON (n.namespace, n.name);
CREATE INDEX extraction_session IF NOT EXISTS FOR (n:Extraction) ON (n.session_id);
CREATE INDEX attempt_session IF NOT EXISTS FOR (n:Attempt) ON (n.session_id);
CREATE INDEX resolution_mention IF NOT EXISTS FOR (n:Resolution) ON (n.namespace, n.mention);
CREATE INDEX summary_tier IF NOT EXISTS FOR (n:Summary) ON (n.namespace, n.tier, n.starts_at);
CREATE INDEX event_life_stage IF NOT EXISTS FOR (n:Event) ON (n.namespace, n.life_stage);
CREATE INDEX fact_life_stage IF NOT EXISTS FOR (n:Fact) ON (n.namespace, n.life_stage);
