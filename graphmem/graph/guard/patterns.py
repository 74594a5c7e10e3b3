"""Path patterns: nodes, relationships, quantified pieces, and how far they may reach."""

from __future__ import annotations

from dataclasses import dataclass

from graphmem.graph.guard.expressions import ExpressionParser
from graphmem.graph.guard.syntax import Conjunct, Element, Group, Labels, MapOf, Node, Path, Quantifier, Relationship

LONGEST_PATH = 10
"""Hops of a repeated piece of path. Longer ones are refused, since what they visit grows with every hop."""


@dataclass(frozen=True, slots=True)
class _LabelTokens:
    """What is gathered while a label expression is read."""

    names: list[tuple[str, int]]
    colons: list[tuple[int, str]]


class PatternParser(ExpressionParser):
    """Patterns in MATCH, in subqueries, in comprehensions and as predicates."""

    def path(self) -> Path:
        """``[name =] [selector] elements``."""
        at = self.position
        variable = None
        if self.token.kind in ("name", "quoted") and self.peek().text == "=" and self.peek().kind == "symbol":
            variable = self.variable("a path's name")
            self.expect("=")
        self._selector()
        if self.token.word in ("SHORTESTPATH", "ALLSHORTESTPATHS"):
            self.position += 1
            self.expect("(")
            elements = self._elements()
            self.expect(")")
        else:
            elements = self._elements()
        return Path(at, variable, tuple(elements), self.position)

    def _selector(self) -> None:
        """Steps over ``ANY``, ``ALL SHORTEST``, ``SHORTEST 2 GROUPS`` and the like."""
        if self.at_symbols("(") or not self.token.word:
            return
        if self.accept_words("ALL"):
            self.accept_words("SHORTEST")
        elif self.accept_words("ANY"):
            if not self.accept_words("SHORTEST"):
                self._count()
        elif self.accept_words("SHORTEST"):
            self._count()
        for word in ("PATHS", "PATH", "GROUPS", "GROUP"):
            self.accept_words(word)

    def _count(self) -> None:
        if self.token.kind == "integer":
            if int(self.token.text) > 100:
                raise self.refusal(f"SHORTEST {self.token.text[:20]} asks for more than 100 paths; ask for fewer")
            self.position += 1

    def _elements(self) -> list[Element]:
        found: list[Element] = [self._node_or_group()]
        while True:
            if self._starts_relationship():
                found.append(self._relationship())
                found.append(self._node_or_group())
            elif self.at_symbols("(") and (isinstance(found[-1], Group) or self.at_symbols("(", "(")):
                found.append(self._node_or_group())
            else:
                return found

    def _starts_relationship(self) -> bool:
        return any(
            self.at_symbols(*symbols)
            for symbols in (("-", "["), ("-", "-"), ("-", ">"), ("<", "-", "["), ("<", "-", "-"))
        )

    def _node_or_group(self) -> Element:
        self._need_parenthesis()
        return self._group() if self._is_group() else self._node()

    def _need_parenthesis(self) -> None:
        if not self.at_symbols("("):
            raise self.refusal(
                f"{self.shown()} stands where a node pattern in parentheses was expected; mend the syntax"
            )

    def _is_group(self) -> bool:
        named = self.peek().kind in ("name", "quoted") and self.peek(2).text == "=" and self.peek(2).kind == "symbol"
        return self.at_symbols("(", "(") or named

    def _group(self) -> Group:
        at = self.position
        with self.deeper():
            self.expect("(")
            variable = None
            if not self.at_symbols("("):
                variable = self.variable("a path's name")
                self.expect("=")
            elements = self._elements()
            where = self.where()
            self.expect(")")
        quantifier = self._quantifier()
        return Group(at, variable, tuple(elements), where, quantifier, self.position)

    def _node(self) -> Node:
        at = self.position
        self.expect("(")
        variable = None
        if (
            self.token.kind in ("name", "quoted")
            and not (self.at_words("WHERE") and not self._ends_name())
            and not self.at_words("IS")
        ):
            variable = self.variable()
        place = self.position
        labels = self.labels() if self.at_symbols(":") or self.at_words("IS") else None
        properties = self._properties()
        where = self.where()
        self.expect(")")
        return Node(at, variable, labels, properties, where, place)

    def _ends_name(self) -> bool:
        return self.peek().kind == "symbol" and self.peek().text in (")", ":", "{")

    def _properties(self) -> MapOf | None:
        if self.token.kind == "parameter":
            raise self.refusal(
                "a whole map of properties as a parameter; name the properties, as in (n:Entity {name: $name})"
            )
        return self.map() if self.at_symbols("{") else None

    def _relationship(self) -> Relationship:
        at = self.position
        self.accept("<")
        self.expect("-")
        variable: str | None = None
        labels: Labels | None = None
        length: Quantifier | None = None
        properties: MapOf | None = None
        where: tuple[Conjunct, ...] = ()
        if self.accept("["):
            if self.token.kind in ("name", "quoted") and not self.at_words("WHERE") and not self.at_words("IS"):
                variable = self.variable()
            if self.at_symbols(":") or self.at_words("IS"):
                labels = self.labels()
            if self.at_symbols("*"):
                length = self._length()
            properties = self._properties()
            where = self.where()
            self.expect("]")
        self.expect("-")
        self.accept(">")
        quantifier = self._quantifier()
        return Relationship(at, variable, labels, quantifier if length is None else length, properties, where)

    def _length(self) -> Quantifier:
        """The old ``*``, ``*2``, ``*1..3``."""
        at = self.position
        self.expect("*")
        low = self._integer()
        if not self.accept(".."):
            return self._bounded(Quantifier(at, 1 if low is None else low, low))
        return self._bounded(Quantifier(at, 1 if low is None else low, self._integer()))

    def _quantifier(self) -> Quantifier | None:
        """``{1,3}``, ``{2}``, ``{,3}``, ``+`` or ``*`` after a relationship or a group."""
        at = self.position
        if self.accept("+"):
            return self._bounded(Quantifier(at, 1, None))
        if self.accept("*"):
            return self._bounded(Quantifier(at, 0, None))
        if not self.accept("{"):
            return None
        low = self._integer()
        if low is not None and self.accept("}"):
            return self._bounded(Quantifier(at, low, low))
        self.expect(",")
        high = self._integer()
        self.expect("}")
        return self._bounded(Quantifier(at, 0 if low is None else low, high))

    def _integer(self) -> int | None:
        if self.token.kind != "integer":
            return None
        self.position += 1
        return int(self.tokens[self.position - 1].text)

    def _bounded(self, quantifier: Quantifier) -> Quantifier:
        if quantifier.high is None or quantifier.high > LONGEST_PATH:
            raise self.refusal(
                f"a path that may repeat more than {LONGEST_PATH} times; give an upper bound, such as {{1,3}} or *1..3",
                quantifier.at,
            )
        return quantifier

    def labels(self, bars: bool = True) -> Labels:
        """``:A``, ``:A:B``, ``:A|B``, ``:A&!B``, ``IS A``; every label by its name."""
        at = self.position
        if not self.accept(":"):
            self.expect_words("IS")
        found = _LabelTokens([], [])
        self._any_of(found, bars)
        while self.at_symbols(":"):
            found.colons.append((self.position, "&"))
            self.position += 1
            self._one_label(found, bars)
        text = " ".join(token.text for token in self.tokens[at : self.position])
        return Labels(at, self.position, tuple(found.names), tuple(found.colons), text)

    def _any_of(self, found: _LabelTokens, bars: bool) -> None:
        self._all_of(found, bars)
        while bars and self.accept("|"):
            if self.accept(":"):
                found.colons.append((self.position - 1, ""))
            self._all_of(found, bars)

    def _all_of(self, found: _LabelTokens, bars: bool) -> None:
        self._one_label(found, bars)
        while self.accept("&"):
            self._one_label(found, bars)

    def _one_label(self, found: _LabelTokens, bars: bool) -> None:
        with self.deeper():
            if self.accept("!"):
                self._one_label(found, bars)
            elif self.accept("("):
                self._any_of(found, True)
                self.expect(")")
            elif self.accept("%"):
                return
            elif self.at_symbols("$") or self.token.kind == "parameter":
                raise self.refusal("a dynamic label or type; write its name, as in (n:Entity) or -[:HAS_FACT]->")
            else:
                found.names.append((self.name("a label or type"), self.position - 1))
