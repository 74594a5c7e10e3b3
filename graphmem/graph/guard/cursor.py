"""A place in a list of tokens, with what every parser asks of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from graphmem.errors import CypherRefused
from graphmem.graph.guard.tokens import Token, is_plain, place, shortened

DEEPEST = 40
"""How deep parentheses, lists, functions and subqueries may stand in one another."""

RESERVED = ("anon_", "graphmem_")
"""Beginnings of names that Neo4j's planner and this library give."""


class Cursor:
    """Reads tokens from left to right; ``position`` can be set back to try another reading."""

    reserved: tuple[str, ...] = RESERVED

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.text = text
        self.tokens = tokens
        self.position = 0
        self._depth = 0

    @property
    def token(self) -> Token:
        """The next token."""
        return self.tokens[self.position]

    def peek(self, ahead: int = 1) -> Token:
        """The token that many places further on; the end token beyond the end."""
        return self.tokens[min(self.position + ahead, len(self.tokens) - 1)]

    def at_words(self, *words: str) -> bool:
        """Whether the next tokens are these keywords."""
        return all(self.peek(ahead).word == word for ahead, word in enumerate(words))

    def at_symbols(self, *symbols: str) -> bool:
        """Whether the next tokens are these symbols."""
        return all(
            self.peek(ahead).kind == "symbol" and self.peek(ahead).text == symbol
            for ahead, symbol in enumerate(symbols)
        )

    def accept_words(self, *words: str) -> bool:
        """Steps over these keywords if they are next."""
        if self.at_words(*words):
            self.position += len(words)
            return True
        return False

    def accept(self, symbol: str) -> bool:
        """Steps over this symbol if it is next."""
        if self.at_symbols(symbol):
            self.position += 1
            return True
        return False

    def expect(self, symbol: str) -> None:
        """Steps over this symbol; refuses the query if something else is next."""
        if not self.accept(symbol):
            raise self.refusal(f"{self.shown()} stands where {symbol!r} was expected; mend the syntax")

    def expect_words(self, *words: str) -> None:
        """Steps over these keywords; refuses the query if something else is next."""
        if not self.accept_words(*words):
            raise self.refusal(f"{self.shown()} stands where {' '.join(words)} was expected; mend the syntax")

    def name(self, what: str) -> str:
        """Steps over a name and returns it."""
        token = self.token
        if token.kind not in ("name", "quoted"):
            raise self.refusal(f"{self.shown()} stands where {what} was expected; mend the syntax")
        self.position += 1
        return token.text

    def variable(self, what: str = "a variable") -> str:
        """Steps over the name of a variable and returns it."""
        at = self.position
        found = self.name(what)
        if not is_plain(found):
            raise self.refusal(
                f"the variable {found!r} is not made of letters a to z, digits and _; choose such a name", at
            )
        if found.lower().startswith(self.reserved):
            raise self.refusal(
                f"names beginning with {' or '.join(self.reserved)} are kept for the planner; choose another than {found!r}",
                at,
            )
        return found

    def shown(self) -> str:
        """The next token for a message."""
        token = self.token
        return "the end of the query" if token.kind == "end" else repr(self.text[token.start : token.end][:40])

    def refusal(self, why: str, at: int | None = None) -> CypherRefused:
        """The refusal of this query, naming the place of the token ``at`` (the next one if None); to be raised."""
        token = self.tokens[self.position if at is None else at]
        return CypherRefused(f"{place(self.text, token.start)}: {shortened(why)}")

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """One level further down; refuses what is nested too deeply."""
        self._depth += 1
        if self._depth > DEEPEST:
            raise self.refusal(f"more than {DEEPEST} levels are nested in one another; split the query with WITH")
        try:
            yield
        finally:
            self._depth -= 1
