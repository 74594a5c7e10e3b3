"""The lexical layer: a Cypher text as tokens, and nothing of the text but its tokens goes on.

What is sent to the server is written anew from these tokens (scope.py): comments are gone, a string has become a parameter, a name that is
not plain ASCII stands in backticks. So it does not matter where the server's own lexer would have ended a comment or read an escape:
there is none left. Whatever is not known here is refused, with its place.

Lexical rules of Cypher 25: comments, two kinds of string with escapes (for backslash, quotes, b, f, n, r, t and u with four hex digits),
names in backticks where two backticks stand for one, decimal numbers, parameters. Not taken: unicode escapes outside strings, hexadecimal
and octal numbers, the typographic dashes and brackets that Cypher reads as arrows.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from graphmem.errors import CypherRefused

Kind = Literal["name", "quoted", "string", "integer", "float", "parameter", "symbol", "end"]

LONGEST_TEXT = 20_000
"""Characters of a query. More than any question needs, little enough that planning it stays quick."""

LARGEST_INTEGER = 2**63 - 1

LONGEST_REASON = 500
"""Characters of the reason of a refusal."""

_SYMBOLS = ("<=", ">=", "<>", "=~", "..", "::", "||", *"()[]{},.:;|&!%=<>+-*/^$")
_NUMBER = re.compile(r"(?:\d*\.\d+(?:[eE][+-]?\d+)?|\d+[eE][+-]?\d+|\d+)")
_ESCAPES = {"\\": "\\", "'": "'", '"': '"', "`": "`", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
_QUOTABLE = re.compile(r"[\w][\w \-.,%#/()?']*\Z")


@dataclass(frozen=True, slots=True)
class Token:
    """A token; ``text`` is what it means (a string without quotes and escapes), ``start`` and ``end`` are offsets in the source."""

    kind: Kind
    text: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The keyword that this may be, in capitals; "" for what can be none (quoted names, names with letters outside ASCII)."""
        return self.text.upper() if self.kind == "name" and self.text.isascii() else ""


def is_plain(name: str) -> bool:
    """Whether a name can be written without backticks."""
    return _PLAIN.match(name) is not None


def is_quotable(name: str) -> bool:
    """Whether a name may stand in backticks: letters, digits, spaces and plain punctuation."""
    return _QUOTABLE.match(name) is not None and all(unicodedata.category(character)[0] != "C" for character in name)


def place(text: str, offset: int) -> str:
    """An offset as "line 2, column 5", both from 1."""
    before = text[:offset]
    return f"line {before.count(chr(10)) + 1}, column {offset - (before.rfind(chr(10)) + 1) + 1}"


def tokenise(text: str, any_name: bool = False) -> list[Token]:
    """The tokens of a query, an ``end`` token last. Raises CypherRefused for what is no token of the Cypher taken here.

    ``any_name`` takes whatever stands in backticks, as texts of plans need it, in which a column is named by its expression.
    """
    if len(text) > LONGEST_TEXT:
        raise CypherRefused(
            f"the query has {len(text)} characters and at most {LONGEST_TEXT} are taken; ask for less at once, "
            "and give long values as parameters"
        )
    tokens: list[Token] = []
    position = 0
    while position < len(text):
        character = text[position]
        if character.isspace():
            position += 1
        elif text.startswith("//", position):
            position = _line_end(text, position)
        elif text.startswith("/*", position):
            close = text.find("*/", position + 2)
            if close < 0:
                raise _refused(text, position, "a comment is opened with /* and never closed; close it with */")
            position = close + 2
        else:
            token = _token(text, position, any_name)
            tokens.append(token)
            position = token.end
    tokens.append(Token("end", "", len(text), len(text)))
    return tokens


def _token(text: str, start: int, any_name: bool) -> Token:
    character = text[start]
    if character in "'\"":
        value, end = _string(text, start)
        return Token("string", value, start, end)
    if character == "`":
        value, end = _backticks(text, start, any_name)
        return Token("quoted", value, start, end)
    if _NUMBER.match(text, start) is not None:
        return _number(text, start)
    if _starts_name(character):
        end = _name_end(text, start)
        return Token("name", text[start:end], start, end)
    if character == "$" and start + 1 < len(text):
        after = text[start + 1]
        if after == "`":
            value, end = _backticks(text, start + 1, any_name)
            return Token("parameter", value, start, end)
        if _starts_name(after) or after in "0123456789":
            end = _name_end(text, start + 1)
            return Token("parameter", text[start + 1 : end], start, end)
    for symbol in _SYMBOLS:
        if text.startswith(symbol, start):
            return Token("symbol", symbol, start, start + len(symbol))
    if character == "\\":
        raise _refused(
            text,
            start,
            "a backslash outside a string (unicode escapes are only taken in strings); write the character itself",
        )
    name = unicodedata.name(character, f"U+{ord(character):04X}")
    raise _refused(text, start, f"the character {character!r} ({name}) has no meaning outside a string; leave it out")


def _string(text: str, start: int) -> tuple[str, int]:
    quote = text[start]
    parts: list[str] = []
    position = start + 1
    while position < len(text):
        character = text[position]
        if character == quote:
            value = _without_surrogates("".join(parts))
            if value is None:
                raise _refused(
                    text,
                    start,
                    "half of a character outside the basic plane; write both halves, or the character itself",
                )
            return value, position + 1
        if character != "\\":
            parts.append(character)
            position += 1
            continue
        escaped = text[position + 1 : position + 2]
        if escaped in _ESCAPES and escaped:
            parts.append(_ESCAPES[escaped])
            position += 2
        elif escaped == "u" and re.fullmatch(r"[0-9A-Fa-f]{4}", text[position + 2 : position + 6]):
            parts.append(chr(int(text[position + 2 : position + 6], 16)))
            position += 6
        else:
            raise _refused(text, position, f"the escape \\{escaped} in a string is unknown; write \\\\ for a backslash")
    raise _refused(
        text,
        start,
        f"a string is opened with {quote} and never closed; close it, and write \\{quote} for the quote itself",
    )


def _without_surrogates(value: str) -> str | None:
    """A text with its pairs of surrogates joined, as two escapes may give them; None if one stands alone."""
    try:
        return value.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        return None


def _backticks(text: str, start: int, any_name: bool) -> tuple[str, int]:
    position = start + 1
    while True:
        close = text.find("`", position)
        if close < 0:
            raise _refused(text, start, "a name is opened with a backtick and never closed; close it")
        if text.startswith("``", close):
            position = close + 2
            continue
        value = text[start + 1 : close].replace("``", "`")
        if not any_name and not is_quotable(value):
            raise _refused(
                text,
                start,
                f"the name {value!r} in backticks holds more than letters, digits, spaces and plain punctuation; choose another",
            )
        return value, close + 1


def _number(text: str, start: int) -> Token:
    found = _NUMBER.match(text, start)
    assert found is not None
    end = found.end()
    if end < len(text) and (_starts_name(text[end]) or text[end] in "0123456789"):
        raise _refused(
            text,
            start,
            f"{text[start : end + 1]!r} is no decimal number; write numbers as 12, 1.5 or 1e3, and a space after them",
        )
    whole = found.group().isdigit()
    if whole and (len(found.group()) > 19 or int(found.group()) > LARGEST_INTEGER):
        raise _refused(
            text,
            start,
            f"{found.group()[:30]} is more than the largest whole number, {LARGEST_INTEGER}; write it as 1e20",
        )
    return Token("integer" if whole else "float", found.group(), start, end)


def _line_end(text: str, start: int) -> int:
    found = re.compile(r"[\r\n]").search(text, start)
    return len(text) if found is None else found.start()


def _starts_name(character: str) -> bool:
    return character == "_" or character.isidentifier()


def _name_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and (text[end] in "0123456789" or ("a" + text[end]).isidentifier()):
        end += 1
    return end


def shortened(why: str) -> str:
    """A reason with the middle left out of what is long in it, such as a name or a number of thousands of characters."""
    return why if len(why) <= LONGEST_REASON else f"{why[:200]} … {why[200 - LONGEST_REASON :]}"


def _refused(text: str, offset: int, why: str) -> CypherRefused:
    return CypherRefused(f"{place(text, offset)}: {shortened(why)}")
