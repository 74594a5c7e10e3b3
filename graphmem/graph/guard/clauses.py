"""Clauses and whole queries: the top of the parser. Only clauses that read are known here; each other one is refused by name."""

from __future__ import annotations

from graphmem.errors import CypherRefused
from graphmem.graph.guard.patterns import PatternParser
from graphmem.graph.guard.syntax import (
    Clause,
    Expression,
    Filter,
    Item,
    Let,
    Match,
    Page,
    Projection,
    Query,
    SubqueryCall,
    Unwind,
    Variable,
)
from graphmem.graph.guard.tokens import tokenise

_WRITES = (
    "CREATE",
    "MERGE",
    "DELETE",
    "DETACH",
    "NODETACH",
    "SET",
    "REMOVE",
    "FOREACH",
    "INSERT",
    "DROP",
    "ALTER",
    "RENAME",
)
_ADMINISTRATION = (
    "SHOW",
    "TERMINATE",
    "GRANT",
    "DENY",
    "REVOKE",
    "START",
    "STOP",
    "ENABLE",
    "DEALLOCATE",
    "REALLOCATE",
    "DRYRUN",
)
_OTHERS = {
    "LOAD": "LOAD CSV reads files and addresses, and only the graph may be read; give values as parameters",
    "USE": "USE chooses another database, and only the memory's own may be read; leave it out",
    "EXPLAIN": "EXPLAIN is not taken; leave it out",
    "PROFILE": "PROFILE is not taken; leave it out",
    "FINISH": "FINISH gives nothing back; end the query with RETURN",
    "NEXT": "NEXT is not taken; use WITH",
    "WHEN": "WHEN as a clause is not taken; use CASE",
    "SELECT": "SELECT is not Cypher; write MATCH … RETURN",
    "GROUP": "GROUP BY is not Cypher; what stands beside count() or collect() in RETURN groups",
    "HAVING": "HAVING is not Cypher; write WITH …, count(*) AS n WHERE n > 1",
    "OVER": "OVER is not Cypher; sort, collect() and number with range(0, size(list) - 1)",
    "NULLS": "NULLS LAST is not Cypher; sort by x IS NULL first, as in ORDER BY x IS NULL, x",
    "LIKE": "LIKE is not Cypher; use CONTAINS, STARTS WITH or ENDS WITH",
    "ILIKE": "ILIKE is not Cypher; write toLower(x) CONTAINS 'word'",
    "BETWEEN": "BETWEEN is not Cypher; write a <= x AND x < b",
    "ORDER": "ORDER BY stands before SKIP and LIMIT in Cypher; write ORDER BY x SKIP 1 LIMIT 5",
    "SKIP": "SKIP stands before LIMIT in Cypher; write SKIP 1 LIMIT 5",
    "OFFSET": "OFFSET stands before LIMIT in Cypher; write SKIP 1 LIMIT 5",
}
_READS = ("MATCH", "OPTIONAL", "WITH", "RETURN", "UNWIND", "LET", "FILTER", "CALL", "WHERE", "UNION")
_READING = "MATCH, OPTIONAL MATCH, WHERE, WITH, UNWIND, LET, FILTER, CALL { }, UNION, ORDER BY, SKIP, LIMIT and RETURN"


class QueryParser(PatternParser):
    """A whole query."""

    def whole(self) -> Query:
        """Everything up to the end of the text."""
        if self.accept_words("CYPHER"):
            if self.token.kind != "integer" or self.token.text != "25":
                raise self.refusal("after CYPHER only the version 25 is taken, with no options; leave the line out")
            self.position += 1
        if self.token.kind == "end":
            raise self.refusal("the query is empty; write one such as MATCH (e:Entity) RETURN e.name LIMIT 10")
        query = self._query()
        self.accept(";")
        if self.peek(0).kind != "end":
            raise self._no_clause()
        for branch in query.branches:
            last = branch[-1]
            if not isinstance(last, Projection) or last.kind != "RETURN":
                raise self.refusal("the query does not end with RETURN; add one that says what to give back")
        return query

    def braced_query(self) -> Query:
        """``{ query }`` or ``{ patterns [WHERE …] }``."""
        at = self.position
        with self.deeper():
            self.expect("{")
            if self.at_symbols("(") or self.peek().text == "=":
                clauses: tuple[Clause, ...] = (self._match_body(self.position, False),)
                query = Query(at, (clauses,))
            else:
                query = self._query()
            if not self.at_symbols("}"):
                raise self._no_clause()
            self.expect("}")
        return query

    def _query(self) -> Query:
        at = self.position
        branches = [self._branch()]
        while self.accept_words("UNION"):
            if not self.accept_words("ALL"):
                self.accept_words("DISTINCT")
            branches.append(self._branch())
        return Query(at, tuple(branches))

    def _branch(self) -> tuple[Clause, ...]:
        clauses: list[Clause] = []
        while (clause := self._clause()) is not None:
            clauses.append(clause)
            if isinstance(clause, Projection) and clause.kind == "RETURN":
                break
        if not clauses:
            raise self._no_clause()
        return tuple(clauses)

    def _clause(self) -> Clause | None:
        at = self.position
        if self.accept_words("OPTIONAL", "MATCH"):
            return self._match_body(at, True)
        if self.accept_words("MATCH"):
            return self._match_body(at, False)
        if self.accept_words("UNWIND"):
            source = self.expression()
            self.expect_words("AS")
            return Unwind(at, source, self.variable())
        if self.at_words("WITH") or self.at_words("RETURN"):
            return self._projection(at)
        if self.accept_words("FILTER"):
            self.accept_words("WHERE")
            return Filter(at, self.conjuncts())
        if self.accept_words("LET"):
            return self._let(at)
        if self.at_words("ORDER") or self.at_words("SKIP") or self.at_words("OFFSET") or self.at_words("LIMIT"):
            return Page(at, *self._page())
        if self.at_words("CALL") or self.at_words("OPTIONAL", "CALL"):
            return self._call_subquery(at)
        if self.at_symbols("}") or self.at_symbols(";") or self.at_words("UNION") or self.token.kind == "end":
            return None
        raise self._no_clause()

    def _match_body(self, at: int, optional: bool) -> Match:
        paths = [self.path()]
        while self.accept(","):
            paths.append(self.path())
        if self.at_words("USING"):
            raise self.refusal("planner hints are not taken; leave USING out")
        if self.at_words("SEARCH"):
            raise self.refusal("SEARCH reads an index across namespaces; use the search tool or command for it")
        where = self.where()
        return Match(at, optional, tuple(paths), where)

    def _let(self, at: int) -> Let:
        items: list[Item] = []
        while True:
            name = self.variable()
            self.expect("=")
            start = self.position
            value = self.expression()
            items.append(Item(start, self.position, value, name))
            if not self.accept(","):
                return Let(at, tuple(items))

    def _projection(self, at: int) -> Projection:
        kind = self.token.word
        self.position += 1
        distinct = self.accept_words("DISTINCT")
        star = self.accept("*")
        items: list[Item] = []
        if not star or self.accept(","):
            while True:
                items.append(self._item(kind))
                if not self.accept(","):
                    break
        order, skip, limit = self._page()
        where = self.where() if kind == "WITH" else ()
        return Projection(at, kind, distinct, star, tuple(items), order, skip, limit, where)

    def _item(self, kind: str) -> Item:
        at = self.position
        value = self.expression()
        end = self.position
        if self.accept_words("AS"):
            return Item(at, end, value, self.variable("a name") if kind == "WITH" else self.name("a name"))
        if isinstance(value, Variable):
            return Item(at, end, value, value.name)
        if kind == "WITH":
            raise self.refusal("an expression in WITH has no name; add AS and a name", at)
        return Item(at, end, value, None)

    def _page(self) -> tuple[tuple[Expression, ...], Expression | None, Expression | None]:
        order: list[Expression] = []
        if self.accept_words("ORDER", "BY"):
            while True:
                order.append(self.expression())
                if self.token.word in ("ASC", "ASCENDING", "DESC", "DESCENDING"):
                    self.position += 1
                if not self.accept(","):
                    break
        skip = self.expression() if self.accept_words("SKIP") or self.accept_words("OFFSET") else None
        limit = self.expression() if self.accept_words("LIMIT") else None
        return tuple(order), skip, limit

    def _call_subquery(self, at: int) -> SubqueryCall:
        optional = self.accept_words("OPTIONAL")
        self.expect_words("CALL")
        imports: list[str] = []
        everything = False
        if self.accept("("):
            everything = self.accept("*")
            while not everything and not self.at_symbols(")"):
                imports.append(self.variable())
                if not self.accept(","):
                    break
            self.expect(")")
        elif not self.at_symbols("{"):
            raise self.refusal(
                "procedures are not called from guarded queries; use patterns (the search tools read the indexes)"
            )
        query = self.braced_query()
        if self.at_words("IN") or self.at_words("ON"):
            raise self.refusal("CALL { } IN TRANSACTIONS commits on its own; leave IN … TRANSACTIONS out")
        return SubqueryCall(at, optional, None if everything else tuple(imports), query)

    def _no_clause(self) -> CypherRefused:
        word = self.token.word
        if word in _WRITES:
            why = f"{word} writes, and this query may only read; ingest or correct to add to the memory"
        elif word in _ADMINISTRATION:
            why = f"{word} is a command to the server, and only the graph may be read; start with MATCH"
        elif word in _READS:
            why = f"{word} stands after the end of the query; one query is taken at a time, with WITH between its parts"
        else:
            why = _OTHERS.get(word, f"{self.shown()} begins no clause that is taken here; these are: {_READING}")
        return self.refusal(why)


def parse(text: str) -> tuple[Query, QueryParser]:
    """A query's tree, and the parser with its tokens. Raises CypherRefused with the place and what to do instead."""
    parser = QueryParser(text, tokenise(text))
    try:
        return parser.whole(), parser
    except CypherRefused:
        # Of two readings of a parenthesis, the one that came further says what is wrong.
        reached, refusal = parser.furthest
        if refusal is not None and reached > parser.position:
            raise refusal from None
        raise
