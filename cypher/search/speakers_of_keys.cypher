// Which of these people have said something in a namespace: for each full-text query that asks for one speaker, the speaker's name.
// Parameters: $queries (in Lucene syntax)
CYPHER 25
UNWIND $queries AS words
CALL (words) {
  CALL db.index.fulltext.queryNodes('turn_text', words, {limit: 1}) YIELD node AS t
  RETURN t.speaker AS speaker
}
RETURN words, speaker
