// How many turns answer each of several full-text queries, counted up to a bound.
// Parameters: $index (turn_text or turn_text_cjk), $queries (in Lucene syntax), $limit
CYPHER 25
UNWIND $queries AS words
CALL (words) {
  CALL db.index.fulltext.queryNodes($index, words, {limit: $limit}) YIELD node
  RETURN count(node) AS turns
}
RETURN words, turns
