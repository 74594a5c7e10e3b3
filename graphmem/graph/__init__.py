"""The graph in Neo4j: connection, query files, schema, appending and reading. The only package that imports the driver."""
