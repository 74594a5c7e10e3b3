// Full-text indexes. The fields scope, day, speaker_key and session_id hold one token each, so that filters work inside the index;
// searchable holds the words. English stems; cjk makes bigrams of Chinese, Japanese and Korean text.
// IF NOT EXISTS goes by label and properties in order, not by name: turn_text_cjk has its own order, else it would never be made.
// Parameters: none
CREATE FULLTEXT INDEX turn_text IF NOT EXISTS FOR (n:Turn) ON EACH [n.searchable, n.scope, n.day, n.speaker_key, n.session_id]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}};
CREATE FULLTEXT INDEX turn_text_cjk IF NOT EXISTS FOR (n:Turn) ON EACH [n.scope, n.searchable, n.day, n.speaker_key, n.session_id]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk', `fulltext.eventually_consistent`: false}};
CREATE FULLTEXT INDEX event_text IF NOT EXISTS FOR (n:Event) ON EACH [n.searchable, n.scope, n.day]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}};
CREATE FULLTEXT INDEX fact_text IF NOT EXISTS FOR (n:Fact) ON EACH [n.searchable, n.scope]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: false}};
