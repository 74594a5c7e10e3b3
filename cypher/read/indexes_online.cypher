// Waits until every index is online, at most for the seconds given.
// Parameters: $seconds
CALL db.awaitIndexes($seconds)
