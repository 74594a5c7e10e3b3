"""The guard: read-only Cypher of a person or a model, run inside one namespace, or refused with the reason and what to do instead.

    result = await run_guarded(graph, "MATCH (e:Entity {name: $name})-[:HAS_FACT]->(f) RETURN f.value", {"name": "Ana"}, "my-trips")

Neo4j Community has no roles, so READ access mode is all that the server itself gives. It refuses writes to data, schema and users, and
CALL { } IN TRANSACTIONS. It lets pass: LOAD CSV from files and addresses; SHOW, TERMINATE, and procedures that end connections or clear
caches; every node of every namespace; and work without bound, since its time limit is looked at between rows only, and its memory limit
counts what is collected and sorted, not what an expression builds.

What each layer closes, in the order of run.py. Each fails closed: what it does not know, it refuses.

1. The text (tokens, cursor, atoms, expressions, patterns, clauses). A lexer and a parser of the reading part of Cypher 25. Whatever is not
   in this grammar is refused: other clauses, procedures, dynamic labels, parameter maps, paths without an upper bound, unicode escapes
   outside strings. What is sent is written anew from the tokens: comments are gone and strings are parameters, so that no text of the
   caller reaches the server but names, numbers and symbols, and no difference between two lexers can be used.
2. Names (rules, vocabulary, regexes). Labels, relationship types and functions on allow-lists; no embeddings; regular expressions that
   cannot run away; as many patterns and as deep nesting as the planner stands (a sum of some 200 terms ends its stack, and then the server
   never answers).
3. Sizes (sizes, costs, bounds). An upper bound on the size of each value and on the work for one row, by abstract interpretation with
   variables followed through WITH; so no doubling strings, no lists of lists of lists, no loop in a loop over long lists. What has no
   bound beforehand, the length of collected lists and of texts that a regular expression is tried on, the running query checks itself.
4. The namespace (scope). Every node of a namespace carries its label, and no relationship joins two namespaces; the label is added to
   every node pattern, also in subqueries, comprehensions, repeated pieces and at their ends.
5. Silence (barriers, totality). The server may try conditions on nodes before it asks for their label. Those that can fail, and so could
   tell of a node by failing, are put behind the label.
6. The plan (plans, steps). EXPLAIN in READ mode must say type "r", have only known steps, and show that each row is inside the namespace
   from the leaf on. This proves 4 and 5 on the server's own plan, whatever the planner made of the text: the rewriting alone and
   the proof alone each keep namespaces apart, and tests turn each off to show it.
7. The run (run, connection.read_text, values). A READ transaction that is never committed, with a time limit in the server and, two
   seconds later, in the client; rows streamed up to a number and a size, a row weighed before it is looked at; no embeddings and no fields
   of the indexes in whole nodes.

What the server must contribute: ``db.memory.transaction.max`` (a quarter of the heap on the managed server, 256 MiB by default; none by
default elsewhere, so set it on a server of your own), without which collecting and sorting are bounded by time alone; and a heap of at
least 384 MiB. Not hidden: how long a query takes. Names of steps belong to Neo4j 2026.08; with another version whose plans read differently
more is refused, not less.
"""

from __future__ import annotations

from graphmem.graph.guard.run import DEFAULT_LIMITS, GuardedResult, GuardLimits, confine, run_guarded
from graphmem.graph.guard.values import is_shown_node, is_shown_relationship

__all__ = [
    "DEFAULT_LIMITS",
    "GuardLimits",
    "GuardedResult",
    "confine",
    "is_shown_node",
    "is_shown_relationship",
    "run_guarded",
]
