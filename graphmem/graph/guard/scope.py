"""Writes the query that is sent: the caller's tokens, the namespace's label on every node pattern, literals as parameters.

No text of the caller goes on but names, numbers and symbols that the lexer knows. What is added is the label (``N_`` and hexadecimal
digits, checked here), the barriers (barriers.py) and a guard on lists that are gone through (bounds.py).
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphmem.graph.guard.barriers import Barrier
from graphmem.graph.guard.sizes import LONGEST_LIST, LONGEST_RETURNED
from graphmem.graph.guard.syntax import Call, Group, Labels, Node, Path, Projection, Query, Tree, walk
from graphmem.graph.guard.tokens import Token, is_plain, is_quotable, place

_LABEL = re.compile(r"N_[0-9a-f]{12}\Z")
_OFFSET = re.compile(r"\(line \d+, column \d+ \(offset: (\d+)\)\)")


@dataclass(frozen=True, slots=True)
class Scoped:
    """The text to send, with the parameters that stand for its literals.

    ``columns`` are the names that the caller knows for those sent. ``origins`` pairs places in the text with places in the source.
    """

    text: str
    literals: dict[str, Any]
    columns: dict[str, str]
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


@dataclass(frozen=True, slots=True)
class Additions:
    """What the rules want added: barriers, and checks on lists (see Bounds)."""

    barriers: Sequence[Barrier]
    lists: Sequence[tuple[int, int]]
    texts: Mapping[tuple[int, int], int]
    returned: Sequence[tuple[int, int]]
    unlimited: Sequence[int]


class _Edits:
    """Texts to put before and after tokens; of those at one place the later are further out."""

    def __init__(self) -> None:
        self.before: dict[int, list[str]] = {}
        self.after: dict[int, list[str]] = {}
        self.instead: dict[int, str] = {}

    def around(self, start: int, end: int, opening: str, closing: str) -> None:
        """Puts texts around the tokens from ``start`` to before ``end``."""
        self.before.setdefault(start, []).insert(0, opening)
        self.after.setdefault(end - 1, []).append(closing)


def scoped(query: Query, source: str, tokens: list[Token], label: str, additions: Additions, prefix: str) -> Scoped:
    """The query confined to the namespace of this label, as text that begins with ``prefix``."""
    if not _LABEL.match(label):
        raise ValueError(f"{label!r} is no label of a namespace")
    edits = _Edits()
    for tree in walk(query):
        _confine(tree, label, edits)
    for start, end in dict.fromkeys(additions.lists):
        failing = "[1 / (0 * size(graphmem_list))]"
        check = f"] | CASE WHEN size(graphmem_list) > {LONGEST_LIST} THEN {failing} ELSE graphmem_list END])"
        edits.around(start, end, "head([graphmem_list IN [", check)
    for (start, end), longest in additions.texts.items():
        failing = "1 / (0 * size(toStringOrNull(graphmem_text)))"
        long = f"size(toStringOrNull(graphmem_text)) > {longest}"
        check = f"] | CASE WHEN {long} THEN toString({failing}) ELSE graphmem_text END])"
        edits.around(start, end, "head([graphmem_text IN [", check)
    for wall in additions.barriers:
        tests = " AND ".join(
            f"({subject} IS NULL OR {subject}:{label})" if subject in wall.nullable else f"{subject}:{label}"
            for subject in wall.subjects
        )
        edits.around(wall.start, wall.end, f"CASE WHEN ({tests}) THEN (", ") END")
    for start, end in dict.fromkeys(additions.returned):
        edits.around(start, end, "(", f")[..{LONGEST_RETURNED + 1}]")
    for brace in dict.fromkeys(additions.unlimited):
        edits.before.setdefault(brace, []).append(f" LIMIT {LONGEST_RETURNED + 1} ")
    columns = _name_columns(query, source, tokens, edits)
    text, literals, origins = _written(source, tokens, edits, prefix)
    return Scoped(text, literals, columns, source, origins)


def _name_columns(query: Query, source: str, tokens: list[Token], edits: _Edits) -> dict[str, str]:
    """Names the columns that have no name of their own, since what is sent for them reads differently."""
    columns: dict[str, str] = {}
    for branch in query.branches:
        last = branch[-1]
        for item in last.items if isinstance(last, Projection) else ():
            if item.name is None:
                written = " ".join(source[tokens[item.at].start : tokens[item.end - 1].end].split())
                name = written if is_quotable(written) else f"graphmem_c{len(columns)}"
                columns[name] = written
                edits.after.setdefault(item.end - 1, []).append(f" AS `{name}`")
            else:
                columns[item.name] = item.name
    return columns


def _confine(tree: Tree, label: str, edits: _Edits) -> None:
    if isinstance(tree, Labels):
        # One statement may not hold both :A:B and :A&B.
        edits.instead.update(tree.colons)
    elif isinstance(tree, Node):
        if tree.labels is None:
            edits.before.setdefault(tree.place, []).append(f":{label} ")
        else:
            edits.after.setdefault(tree.labels.at, []).append(f" {label}&(")
            edits.after.setdefault(tree.labels.end - 1, []).append(")")
    elif isinstance(tree, Path | Group):
        # A repeated piece at an end of a path has nodes of its own at its edge, which no label would be on if it repeats zero times.
        first, last = tree.elements[0], tree.elements[-1]
        if isinstance(first, Group) and first.quantifier is not None:
            edits.before.setdefault(first.at, []).append(f"(:{label})")
        if isinstance(last, Group) and last.quantifier is not None:
            edits.after.setdefault(last.end - 1, []).append(f"(:{label})")
    elif isinstance(tree, Call) and tree.name == "labels":
        edits.around(tree.at, tree.end, "[graphmem_label IN ", f" WHERE graphmem_label <> '{label}']")


def _written(
    source: str, tokens: list[Token], edits: _Edits, prefix: str
) -> tuple[str, dict[str, Any], tuple[tuple[int, int], ...]]:
    """The text, its literals, and places in it paired with places in the source."""
    parts = [prefix]
    length = len(prefix)
    literals: dict[str, Any] = {}
    origins: list[tuple[int, int]] = [(0, 0)]
    end = 0
    for index, token in enumerate(tokens):
        gap = source[end : token.start]
        end = token.end
        text = ("\n" if "\n" in gap else " " if gap else "") + "".join(edits.before.get(index, ()))
        origins.append((length + len(text), token.start))
        written = edits.instead.get(index)
        text += _token(token, literals, _is_map_value(tokens, index)) if written is None else written
        text += "".join(edits.after.get(index, ()))
        parts.append(text)
        length += len(text)
    return "".join(parts).strip(), literals, tuple(origins)


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
