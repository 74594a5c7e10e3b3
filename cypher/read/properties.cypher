// The properties of entities, or of everything, with how many statements about each stand, and about how many entities.
// The rules stand in graphmem/graph/read.py; the parts between rules of dashes are the same in every file that has them.
// Parameters: $namespace, $subjects (identifiers of entities, [] for all), $said_by (null for no limit), $known_at (null for now)
CYPHER 25
WITH coalesce($said_by, datetime('9999-12-31T00:00Z')) AS said_by, coalesce($known_at, datetime('9999-12-31T00:00Z')) AS known_at
CALL (known_at) {
  UNWIND $subjects AS id
  MATCH (e:Entity {id: id}) WHERE e.namespace = $namespace
  MATCH ANY SHORTEST (e) ((a:Entity)-[r:SAME_AS]-(b:Entity) WHERE r.created_at <= known_at AND NOT EXISTS {
    (a)-[d:DISTINCT_FROM]-(b) WHERE d.created_at <= known_at AND d.decided_at >= r.decided_at })* (owner:Entity)
  MATCH (owner)-[:HAS_FACT]->(f:Fact)-[:OF]->(p:Property)
  RETURN DISTINCT p, owner, f
UNION
  WITH 1 AS everything WHERE size($subjects) = 0
  MATCH (p:Property) WHERE p.namespace = $namespace AND p.name IS NOT NULL
  MATCH (p)<-[:OF]-(f:Fact)<-[:HAS_FACT]-(owner:Entity)
  RETURN DISTINCT p, owner, f
}
// ------------------------------------------------------------------------------------------------------------------------- standing: begin
// Whether it stands: said, known, extracted by an extraction in force (or by none), and not undone by what stands itself. What undoes comes
// first, so that one pass over the chain of corrections settles which of them stand.
CALL (f, said_by, known_at) {
  MATCH path = (f)<-[:CORRECTS|RETRACTS|REPLACES*0..]-(g)
  WHERE all(step IN relationships(path) WHERE step.created_at <= known_at)
  WITH g, max(length(path)) AS distance ORDER BY distance DESC
  WITH collect({
    id: g.id,
    counts: g.created_at <= known_at AND g.asserted_at <= said_by AND (
      NOT EXISTS { (g)<-[:PRODUCED]-(:Extraction) }
      OR EXISTS { (g)<-[:PRODUCED]-(x:Extraction) WHERE x.created_at <= known_at
                  AND NOT EXISTS { (x)<-[r:REPLACES]-(:Extraction) WHERE r.created_at <= known_at } }),
    undone_by: [(g)<-[step:CORRECTS|RETRACTS|REPLACES]-(h) WHERE step.created_at <= known_at | h.id]}) AS chain
  RETURN reduce(standing = [], g IN chain |
    CASE WHEN g.counts AND none(h IN g.undone_by WHERE h IN standing) THEN standing + g.id ELSE standing END) AS standing
}
// --------------------------------------------------------------------------------------------------------------------------- standing: end
WITH p, owner, f WHERE f.id IN standing AND NOT EXISTS { (f)-[:RETRACTS]->(:Fact) }
RETURN p.id AS id, p.name AS name, p.cardinality AS cardinality, p.value_type AS value_type, count(DISTINCT f) AS facts,
       count(DISTINCT owner) AS subjects
ORDER BY facts DESC, name
