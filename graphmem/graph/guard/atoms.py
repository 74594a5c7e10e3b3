"""The smallest expressions of Cypher 25, and what may follow them: literals, names, calls, lists, maps, CASE, subqueries.

What is not written here is refused.
"""

from __future__ import annotations

from graphmem.errors import CypherRefused
from graphmem.graph.guard.cursor import Cursor
from graphmem.graph.guard.syntax import (
    Call,
    Case,
    Conjunct,
    Constant,
    Expression,
    HasLabels,
    Index,
    Iteration,
    Labels,
    ListOf,
    MapOf,
    MapProjection,
    Operation,
    Parameter,
    Path,
    PatternList,
    PatternTest,
    Property,
    Query,
    Slice,
    Subquery,
    Variable,
)
from graphmem.graph.guard.tokens import Token

COMPARISONS = ("=", "<>", "<=", ">=", "<", ">")
_QUANTIFIERS = ("ALL", "ANY", "NONE", "SINGLE")
_SUBQUERIES = ("EXISTS", "COUNT", "COLLECT")
_LITERALS_OF_SQL = {
    "INTERVAL": "INTERVAL is not Cypher; write duration({days: 30})",
    "DATE": "a DATE with a text behind it is not Cypher; write date('2023-05-01')",
    "TIMESTAMP": "TIMESTAMP is not Cypher; write datetime('2023-05-01T10:00')",
}


class AtomParser(Cursor):
    """The lower half of expressions. What they hold of whole expressions, patterns and queries is read by the parsers built on this one."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        super().__init__(text, tokens)
        self._no_pattern: set[int] = set()
        self.furthest: tuple[int, CypherRefused | None] = (0, None)
        """How far the reading of something as a pattern came, and why no further."""

    def path(self) -> Path:
        """A path pattern."""
        raise NotImplementedError

    def braced_query(self) -> Query:
        """A query, or bare patterns, in braces."""
        raise NotImplementedError

    def labels(self, bars: bool = True) -> Labels:
        """A label expression; ``bars`` says whether ``|`` belongs to it."""
        raise NotImplementedError

    def expression(self, bars: bool = True) -> Expression:
        """Any expression. With ``bars`` False a ``|`` ends it (inside a comprehension)."""
        raise NotImplementedError

    def sum(self, bars: bool) -> Expression:
        """An expression without comparisons and logic."""
        raise NotImplementedError

    def null_or_type_test(self, at: int, operand: Expression) -> Expression:
        """``IS [NOT] NULL`` and ``IS [NOT] :: type`` after an operand."""
        raise NotImplementedError

    def where(self, bars: bool = True) -> tuple[Conjunct, ...]:
        """WHERE and its conditions, () if none stands here."""
        raise NotImplementedError

    def postfix(self, bars: bool) -> Expression:
        """An atom with its properties, subscripts and labels."""
        at = self.position
        found = self._atom()
        while True:
            if self.accept("."):
                found = Property(at, found, self.name("a property name"))
            elif self.at_symbols("["):
                found = self._subscript(at, found)
            elif self.at_symbols(":"):
                found = HasLabels(at, found, self.labels(bars))
            elif self.at_symbols("{") and isinstance(found, Variable):
                found = self._map_projection(at, found)
            else:
                return found

    def _subscript(self, at: int, base: Expression) -> Expression:
        self.expect("[")
        low = None if self.at_symbols("..") else self.expression()
        if low is not None and self.accept("]"):
            return Index(at, base, low)
        self.expect("..")
        high = None if self.at_symbols("]") else self.expression()
        self.expect("]")
        return Slice(at, base, low, high)

    def _map_projection(self, at: int, base: Variable) -> Expression:
        self.expect("{")
        keys: list[str] = []
        items: list[tuple[str, Expression]] = []
        spans: list[tuple[int, int]] = []
        everything = False
        while not self.at_symbols("}"):
            if self.accept("."):
                if self.accept("*"):
                    everything = True
                else:
                    keys.append(self.name("a property name"))
            else:
                start = self.position
                key = self.name("a key")
                if self.accept(":"):
                    start = self.position
                    items.append((key, self.expression()))
                else:
                    items.append((key, Variable(start, key)))
                spans.append((start, self.position))
            if not self.accept(","):
                break
        self.expect("}")
        return MapProjection(at, base, tuple(keys), everything, tuple(items), tuple(spans))

    def _atom(self) -> Expression:
        at, token = self.position, self.token
        if token.kind == "integer":
            self.position += 1
            return Constant(at, int(token.text))
        if token.kind == "float":
            self.position += 1
            return Constant(at, float(token.text))
        if token.kind == "string":
            self.position += 1
            return Constant(at, token.text)
        if token.kind == "parameter":
            self.position += 1
            return Parameter(at, token.text)
        if token.kind in ("name", "quoted"):
            return self._named(at)
        if self.at_symbols("("):
            return self._parenthesised(at)
        if self.at_symbols("["):
            return self._bracketed(at)
        if self.at_symbols("{"):
            return self.map()
        if self.at_symbols("$"):
            raise self.refusal(
                "$ is followed by no name; write parameters as $name, and labels, types and properties by name, not dynamically"
            )
        raise self.refusal(f"{self.shown()} stands where a value was expected; mend the syntax")

    def _named(self, at: int) -> Expression:
        word = self.token.word
        if word in ("TRUE", "FALSE", "NULL", "INF", "INFINITY", "NAN") and not self._is_call():
            self.position += 1
            value = {"TRUE": True, "FALSE": False, "NULL": None}.get(word, float("inf"))
            return Constant(at, value)
        if word == "CASE" and self.peek().text != ".":
            return self._case(at)
        brace = self.peek().kind == "symbol" and self.peek().text == "{"
        if word in _SUBQUERIES and brace:
            self.position += 1
            query = self.braced_query()
            return Subquery(at, self.position - 1, word, query)
        paren = self.peek().kind == "symbol" and self.peek().text == "("
        if paren and word in _QUANTIFIERS:
            return self._quantified(at, word.lower())
        if paren and word in ("REDUCE", "ALLREDUCE"):
            raise self.refusal(
                f"{word.lower()}() can run without bound; UNWIND the list and use sum(), min(), max() or collect()"
            )
        if paren and word in ("SHORTESTPATH", "ALLSHORTESTPATHS"):
            raise self.refusal("a shortest path may stand in MATCH only; write MATCH p = SHORTEST 1 (a)-[:T]-{1,5}(b)")
        if self._is_call():
            return self._call(at)
        if word in _LITERALS_OF_SQL and self.peek().kind in ("string", "integer", "float"):
            raise self.refusal(_LITERALS_OF_SQL[word])
        return Variable(at, self._any_variable())

    def _any_variable(self) -> str:
        return self.name("a variable")

    def _is_call(self) -> bool:
        ahead = 1
        while self.peek(ahead).text == "." and self.peek(ahead).kind == "symbol":
            if self.peek(ahead + 1).kind not in ("name", "quoted"):
                return False
            ahead += 2
        return self.peek(ahead).kind == "symbol" and self.peek(ahead).text == "("

    def _call(self, at: int) -> Expression:
        parts = [self.name("a function")]
        while self.accept("."):
            parts.append(self.name("a function"))
        name = ".".join(parts).lower()
        self.expect("(")
        if self.accept("*"):
            self.expect(")")
            return Call(at, self.position, name, (), star=True)
        distinct = self.accept_words("DISTINCT")
        arguments: list[Expression] = []
        while not self.at_symbols(")"):
            arguments.append(self.expression())
            if not self.accept(","):
                break
        self.expect(")")
        return Call(at, self.position, name, tuple(arguments), distinct)

    def _quantified(self, at: int, kind: str) -> Expression:
        self.position += 1
        self.expect("(")
        variable = self.variable()
        self.expect_words("IN")
        start = self.position
        source = self.expression()
        span = (start, self.position)
        condition = self.expression() if self.accept_words("WHERE") else None
        self.expect(")")
        return Iteration(at, kind, variable, source, span, condition, None)

    def _case(self, at: int) -> Expression:
        self.expect_words("CASE")
        subject = None if self.at_words("WHEN") else self.expression()
        branches: list[tuple[Expression, Expression]] = []
        while self.accept_words("WHEN"):
            conditions = [self._when(subject)]
            while subject is not None and self.accept(","):
                conditions.append(self._when(subject))
            self.expect_words("THEN")
            result = self.expression()
            branches += [(condition, result) for condition in conditions]
        if not branches:
            raise self.refusal("CASE has no WHEN; write CASE WHEN … THEN … ELSE … END")
        otherwise = self.expression() if self.accept_words("ELSE") else None
        self.expect_words("END")
        return Case(at, subject, tuple(branches), otherwise)

    def _when(self, subject: Expression | None) -> Expression:
        at = self.position
        if subject is None:
            return self.expression()
        if self.at_words("IS"):
            return self.null_or_type_test(at, subject)
        if self.token.kind == "symbol" and self.token.text in COMPARISONS:
            operator = self.token.text
            self.position += 1
            return Operation(at, operator, (subject, self.sum(True)))
        return self.expression()

    def _parenthesised(self, at: int) -> Expression:
        pattern = self._pattern_here()
        if pattern is not None:
            return PatternTest(at, pattern)
        self.expect("(")
        found = self.expression()
        self.expect(")")
        return found

    def _pattern_here(self) -> Path | None:
        """A path with at least one relationship, if one stands here; else nothing is read. No place is tried twice in vain."""
        start = self.position
        if start in self._no_pattern:
            return None
        try:
            path = self.path()
        except CypherRefused as exc:
            self._no_pattern.add(start)
            if self.position > self.furthest[0]:
                self.furthest = (self.position, exc)
            self.position = start
            return None
        if len(path.elements) < 2:
            self._no_pattern.add(start)
            self.position = start
            return None
        return path

    def _bracketed(self, at: int) -> Expression:
        self.expect("[")
        if self.token.kind in ("name", "quoted") and self.peek().word == "IN":
            return self._comprehension(at)
        start = self.position
        named = self.token.kind in ("name", "quoted") and self.peek().text == "=" and self.peek(2).text == "("
        if named or self.at_symbols("("):
            pattern = self._pattern_here()
            if pattern is not None and (self.at_words("WHERE") or self.at_symbols("|")):
                where = self.where(bars=False)
                self.expect("|")
                body = self.expression()
                self.expect("]")
                return PatternList(at, pattern, where, body)
            self.position = start
        items: list[Expression] = []
        while not self.at_symbols("]"):
            items.append(self.expression())
            if not self.accept(","):
                break
        self.expect("]")
        return ListOf(at, tuple(items))

    def _comprehension(self, at: int) -> Expression:
        variable = self.variable()
        self.expect_words("IN")
        start = self.position
        source = self.expression(bars=False)
        span = (start, self.position)
        condition = self.expression(bars=False) if self.accept_words("WHERE") else None
        body = self.expression() if self.accept("|") else None
        self.expect("]")
        return Iteration(at, "list", variable, source, span, condition, body)

    def map(self) -> MapOf:
        """A map literal."""
        at = self.position
        self.expect("{")
        items: list[tuple[str, Expression]] = []
        spans: list[tuple[int, int]] = []
        while not self.at_symbols("}"):
            key = self.name("a key")
            self.expect(":")
            start = self.position
            items.append((key, self.expression()))
            spans.append((start, self.position))
            if not self.accept(","):
                break
        self.expect("}")
        return MapOf(at, tuple(items), tuple(spans))
