// The names of all indexes, those of constraints among them.
// Parameters: none
SHOW INDEXES YIELD name
RETURN collect(name) AS names
