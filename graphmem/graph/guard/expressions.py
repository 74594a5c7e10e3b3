"""Expressions of Cypher 25, by recursive descent, from OR down to the signs of numbers. What is not written here is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from graphmem.graph.guard.atoms import COMPARISONS, AtomParser
from graphmem.graph.guard.syntax import Conjunct, Constant, Expression, Operation

_TYPES = frozenset(
    "BOOL BOOLEAN VARCHAR STRING INT INTEGER SIGNED FLOAT DATE LOCAL ZONED TIME TIMESTAMP DATETIME "
    "DURATION POINT NODE VERTEX RELATIONSHIP EDGE MAP LIST ARRAY PATH PROPERTY VALUE ANY NOTHING NULL NOT".split()
)


class ExpressionParser(AtomParser):
    """Expressions, with the operators in order of how closely they bind."""

    def expression(self, bars: bool = True) -> Expression:
        """Any expression. With ``bars`` False a ``|`` ends it (inside a comprehension)."""
        with self.deeper():
            return self._left("OR", lambda: self._left("XOR", lambda: self._and(bars)))

    def where(self, bars: bool = True) -> tuple[Conjunct, ...]:
        """WHERE and its conditions, () if none stands here."""
        return self.conjuncts(bars) if self.accept_words("WHERE") else ()

    def conjuncts(self, bars: bool = True) -> tuple[Conjunct, ...]:
        """A condition as the parts that AND joins."""
        start = self.position
        value = self.expression(bars)
        return tuple(_conjuncts(value, start, self.position))

    def _left(self, word: str, operand: Callable[[], Expression]) -> Expression:
        at = self.position
        found = [operand()]
        while self.accept_words(word):
            found.append(operand())
        return found[0] if len(found) == 1 else Operation(at, word, tuple(found))

    def _and(self, bars: bool) -> Expression:
        at = self.position
        found = [self._not(bars)]
        spans = [(at, self.position)]
        while self.accept_words("AND"):
            start = self.position
            found.append(self._not(bars))
            spans.append((start, self.position))
        return found[0] if len(found) == 1 else Operation(at, "AND", tuple(found), tuple(spans))

    def _not(self, bars: bool) -> Expression:
        at = self.position
        if self.accept_words("NOT"):
            with self.deeper():
                return Operation(at, "NOT", (self._not(bars),))
        return self._comparison(bars)

    def _comparison(self, bars: bool) -> Expression:
        at = self.position
        left = self._test(bars)
        parts: list[Expression] = []
        while self.token.kind == "symbol" and self.token.text in COMPARISONS:
            operator = self.token.text
            self.position += 1
            if operator == "=" and self.at_symbols("="):
                raise self.refusal("== is not Cypher; write =")
            right = self._test(bars)
            parts.append(Operation(at, operator, (left, right)))
            left = right
        if self.at_symbols("!", "="):
            raise self.refusal("!= is not Cypher; write <>")
        if not parts:
            return left
        return parts[0] if len(parts) == 1 else Operation(at, "CHAIN", tuple(parts))

    def _test(self, bars: bool) -> Expression:
        at = self.position
        found = self.sum(bars)
        while True:
            if self.accept("=~"):
                spans = ((at, self.position - 1),)
                found = Operation(at, "=~", (found, self.sum(bars)), spans)
            elif self.accept_words("STARTS", "WITH"):
                found = Operation(at, "STARTS WITH", (found, self.sum(bars)))
            elif self.accept_words("ENDS", "WITH"):
                found = Operation(at, "ENDS WITH", (found, self.sum(bars)))
            elif self.accept_words("CONTAINS"):
                found = Operation(at, "CONTAINS", (found, self.sum(bars)))
            elif self.accept_words("IN"):
                found = Operation(at, "IN", (found, self.sum(bars)))
            elif self.at_words("IS"):
                found = self.null_or_type_test(at, found)
            else:
                return found

    def null_or_type_test(self, at: int, operand: Expression) -> Expression:
        """``IS [NOT] NULL`` and ``IS [NOT] :: type`` after an operand."""
        self.expect_words("IS")
        negated = self.accept_words("NOT")
        if self.accept_words("NULL"):
            return Operation(at, "IS NOT NULL" if negated else "IS NULL", (operand,))
        if self.accept("::") or self.accept_words("TYPED"):
            if self.token.word not in _TYPES:
                raise self.refusal(f"{self.shown()} is no type; write one such as STRING, INTEGER or ZONED DATETIME")
            while self.token.word in _TYPES:
                self.position += 1
                if self.accept("<"):
                    while self.token.word in _TYPES:
                        self.position += 1
                    self.expect(">")
            return Operation(at, "IS TYPED", (operand,))
        raise self.refusal("IS is followed by neither NULL, NOT NULL nor :: and a type; write label tests as n:Label")

    def sum(self, bars: bool) -> Expression:
        """An expression without comparisons and logic."""
        return self._chain(("+", "-", "||"), lambda: self._chain(("*", "/", "%"), lambda: self._power(bars)))

    def _chain(self, operators: tuple[str, ...], operand: Callable[[], Expression]) -> Expression:
        at = self.position
        found = operand()
        while self.token.kind == "symbol" and self.token.text in operators:
            operator = self.token.text
            self.position += 1
            found = Operation(at, operator, (found, operand()))
        return found

    def _power(self, bars: bool) -> Expression:
        at = self.position
        found = self._sign(bars)
        while self.accept("^"):
            found = Operation(at, "^", (found, self._sign(bars)))
        return found

    def _sign(self, bars: bool) -> Expression:
        at = self.position
        for sign in ("-", "+"):
            if self.accept(sign):
                with self.deeper():
                    operand = self._sign(bars)
                if isinstance(operand, Constant) and sign == "-" and type(operand.value) in (int, float):
                    assert isinstance(operand.value, int | float)
                    return Constant(at, -operand.value)
                return Operation(at, "NEGATE", (operand,))
        return self.postfix(bars)


def _conjuncts(value: Expression, start: int, end: int) -> Iterator[Conjunct]:
    if isinstance(value, Operation) and value.operator == "AND":
        for operand, span in zip(value.operands, value.spans, strict=True):
            yield from _conjuncts(operand, *span)
    else:
        yield Conjunct(start, end, value)
