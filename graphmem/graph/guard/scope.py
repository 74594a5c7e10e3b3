"""Writes the query that is sent: the caller's tokens, the namespace's label on every node pattern, literals as parameters.

No text of the caller goes on but names, numbers and symbols that the lexer knows. What is added is the label (``N_`` and hexadecimal
digits, checked here), the barriers (barriers.py) and a guard on lists that are gone through (bounds.py).
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from graphmem.graph.guard.barriers import Barrier
from graphmem.graph.guard.bounds import LONGEST_LIST
from graphmem.graph.guard.syntax import Call, Element, Group, Node, Path, Query, Tree, walk
from graphmem.graph.guard.tokens import Token, is_plain, place

_LABEL = re.compile(r"N_[0-9a-f]{12}\Z")
_OFFSET = re.compile(r"\(line \d+, column \d+ \(offset: (\d+)\)\)")


@dataclass(frozen=True, slots=True)
class Scoped:
    """The text to send with the parameters that stand for its strings. ``origins`` pairs places in it with places in the source."""

    text: str
    literals: dict[str, Any]
    source: str
    origins: tuple[tuple[int, int], ...]

    def in_source(self, message: str, ahead: int = 0) -> str:
        """A message of the server with its "(line …, column … (offset: …))" turned into the place in the caller's text.

        ``ahead`` characters were sent before the text.
        """

        def back(found: re.Match[str]) -> str:
            index = bisect.bisect_right(self.origins, (int(found.group(1)) - ahead, len(self.source))) - 1
            return f"({place(self.source, self.origins[max(index, 0)][1])})"

        return _OFFSET.sub(back, message)


def scoped(
    query: Query,
    source: str,
    tokens: list[Token],
    label: str,
    walls: Iterable[Barrier],
    lists: Iterable[tuple[int, int]],
    prefix: str,
) -> Scoped:
    """The query confined to the namespace of this label, as text that begins with ``prefix``."""
    if not _LABEL.match(label):
        raise ValueError(f"{label!r} is no label of a namespace")
    before: dict[int, list[str]] = {}
    after: dict[int, list[str]] = {}
    for tree in walk(query):
        _confine(tree, label, before, after)
    for start, end in lists:
        before.setdefault(start, []).insert(0, "head([graphmem_list IN [")
        after.setdefault(end - 1, []).append(
            f"] | CASE WHEN size(graphmem_list) > {LONGEST_LIST} THEN [1 / (0 * size(graphmem_list))] ELSE graphmem_list END])"
        )
    for wall in walls:
        tests = " AND ".join(
            f"({subject} IS NULL OR {subject}:{label})" if subject in wall.nullable else f"{subject}:{label}"
            for subject in wall.subjects
        )
        before.setdefault(wall.start, []).insert(0, f"CASE WHEN ({tests}) THEN (")
        after.setdefault(wall.end - 1, []).append(") END")
    return _written(source, tokens, before, after, prefix)


def _confine(tree: Tree, label: str, before: dict[int, list[str]], after: dict[int, list[str]]) -> None:
    if isinstance(tree, Node):
        if tree.labels is None:
            before.setdefault(tree.place, []).append(f":{label} ")
        elif tree.labels.colons:
            after.setdefault(tree.labels.at, []).append(f"{label}:")
        else:
            after.setdefault(tree.labels.at, []).append(f" {label}&(")
            after.setdefault(tree.labels.end - 1, []).append(")")
    elif isinstance(tree, Path | Group):
        # A repeated piece at an end of a path has nodes of its own at its edge, which no label would be on if it repeats zero times.
        elements: tuple[Element, ...] = tree.elements
        if isinstance(elements[0], Group) and elements[0].quantifier is not None:
            before.setdefault(elements[0].at, []).append(f"(:{label})")
        if isinstance(elements[-1], Group) and elements[-1].quantifier is not None:
            after.setdefault(elements[-1].end - 1, []).append(f"(:{label})")
    elif isinstance(tree, Call) and tree.name == "labels":
        before.setdefault(tree.at, []).append("[graphmem_label IN ")
        after.setdefault(tree.end - 1, []).append(f" WHERE graphmem_label <> '{label}']")


def _written(
    source: str, tokens: list[Token], before: dict[int, list[str]], after: dict[int, list[str]], prefix: str
) -> Scoped:
    parts = [prefix]
    length = len(prefix)
    literals: dict[str, Any] = {}
    origins: list[tuple[int, int]] = [(0, 0)]
    end = 0
    for index, token in enumerate(tokens):
        gap = source[end : token.start]
        end = token.end
        text = "".join(before.get(index, []))
        text = ("\n" if "\n" in gap else " " if gap else "") + text
        origins.append((length + len(text), token.start))
        text += _token(token, literals, _is_map_value(tokens, index)) + "".join(after.get(index, []))
        parts.append(text)
        length += len(text)
    return Scoped("".join(parts).strip(), literals, source, tuple(origins))


def _is_map_value(tokens: list[Token], index: int) -> bool:
    """Whether a token is all of a value in a map, as in {days: 3}."""
    if index < 2 or index + 1 >= len(tokens):
        return False
    colon, after = tokens[index - 1], tokens[index + 1]
    return colon.kind == after.kind == "symbol" and colon.text == ":" and after.text in (",", "}")


def _token(token: Token, literals: dict[str, Any], in_map: bool) -> str:
    if token.kind == "string" or (token.kind == "integer" and in_map):
        # Numbers in maps too: the proof has to know the parts of a date, and in a plan the planner has put names for them.
        name = f"graphmem_s{len(literals)}"
        literals[name] = token.text if token.kind == "string" else int(token.text)
        return f" ${name} "
    if token.kind == "parameter":
        return f" ${token.text} "
    if token.kind == "quoted" or (token.kind == "name" and not is_plain(token.text)):
        return "`" + token.text.replace("`", "``") + "`"
    return token.text
