"""``cypher`` and ``schema_viewer``: a guarded query of the model, and what it may ask about. Identifiers in rows become handles."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC
from typing import Any

from graphmem.answer.agent.arguments import CypherArguments, NoArguments
from graphmem.answer.agent.cypher_hints import hints, hints_on, named, tells
from graphmem.answer.agent.directions import mend
from graphmem.answer.agent.observing import Found, Mistake, RowText, joined
from graphmem.answer.agent.rows import cell, name, quoted
from graphmem.answer.agent.schema_text import schema_text
from graphmem.answer.agent.scope import Scope
from graphmem.answer.agent.sources import Sources
from graphmem.answer.agent.tools_lookup import nearest_properties
from graphmem.errors import CypherRefused
from graphmem.graph import read
from graphmem.graph.connection import Row
from graphmem.graph.guard import GuardedResult, GuardLimits, is_shown_node, run_guarded
from graphmem.graph.queries import load
from graphmem.graph.read_rows import citation
from graphmem.records import Citation, Hit

SCHEMA_TOKENS = 690
MOST_BYTES = 200_000
_ID = re.compile(r"[0-9a-f]{32}\Z")
_SILENT = frozenset(
    {
        "created_at", "end_stated", "start_stated", "inferred", "time_rule", "time_confidence", "policy", "alternatives", "value_key",
        "value_type", "searchable", "normalised", "session_id", "offset",
    }
)  # fmt: skip
"""Properties of whole nodes that say little to a reader; a query can ask for each by name."""

_FENCE = re.compile(r"\A\s*```\w*\s*\n(.*?)\n?```\s*\Z", re.DOTALL)


async def view_schema(asked: NoArguments, scope: Scope, sources: Sources) -> Found:
    """The graph and what this namespace holds."""
    text = schema_text(await scope.contents(), SCHEMA_TOKENS)
    return Found(text, (), 1)


async def run(asked: CypherArguments, scope: Scope, sources: Sources) -> Found:
    """Runs a query through the guard, its arrows turned where they run against the schema, which the model is told.

    A refusal says what to do; so does a result that is empty for a reason that can be seen.
    """
    mended = mend(_FENCE.sub(r"\1", asked.query))
    text, turned = mended.text, mended.notices
    parameters: dict[str, Any] = {**sources.parameters(text), **_times(scope, text)}
    limits = GuardLimits(scope.settings.cypher_seconds, scope.settings.cypher_rows, MOST_BYTES)
    try:
        result = await run_guarded(scope.graph, text, parameters, scope.namespace, limits)
    except CypherRefused as exc:
        raise Mistake(joined((f"Refused: {exc}.", *turned, *hints(text))), "refused") from exc
    hint = await _why(text, result, scope)
    known = await _known(result, scope)
    head = (
        f"{len(result.rows)}{'+' if result.truncated else ''} rows: {' | '.join(name(each) for each in result.columns)}"
    )
    rows = tuple(_row(row, known, scope) for row in result.rows)
    some = any(tells(value) for row in result.rows for value in row)
    if some and not known and not hint:
        hint = "No ids among them: return v.id, f.id, q.id or t.id as well where rows are to be cited."
    hint = joined((*turned, hint or "")) or None
    return Found(head, rows, len(rows) if some else 0, hint, "add a LIMIT, count, or return less")


def _times(scope: Scope, text: str) -> dict[str, Any]:
    """The times of the question as parameters, where a query uses them."""
    time = scope.time
    given = {
        "asked_at": scope.asked_at.astimezone(UTC),
        "since": time.start.astimezone(UTC) if time is not None and time.start is not None else None,
        "until": time.end.astimezone(UTC) if time is not None and time.end is not None else None,
    }
    return {key: value for key, value in given.items() if value is not None and re.search(rf"\${key}\b", text)}


async def _why(text: str, result: GuardedResult, scope: Scope) -> str | None:
    """Why nothing may have been found: what the graph does not have, or names it does not know. None where something was."""
    wrong = list(hints_on(text, result.rows))
    if any(tells(value) for row in result.rows for value in row):
        return joined(wrong) or None
    literal = named(text)
    properties = [each for each, _ in (await scope.contents()).properties]
    for each in literal.properties:
        if each not in properties:
            near = nearest_properties(each, properties) or properties[:8]
            wrong.append(f"No fact here has the property {quoted(each)}; the nearest: {', '.join(map(name, near))}.")
    for each in literal.names[:3]:
        views = await read.entities(scope.graph, scope.namespace, (each,), known_at=scope.known_at)
        if each not in properties and not any(view.name == each for view in views):
            if views:
                wrong.append(
                    f"Nobody is stored as {quoted(each)}; it is a name of {', '.join(quoted(v.name) for v in views[:3])}."
                )
            else:
                wrong.append(f"No entity is called {quoted(each)}; entity_lookup finds near names.")
    return joined(wrong or ["Nothing matches. Loosen a filter (wider time, toLower(...) CONTAINS), or use search."])


async def _known(result: GuardedResult, scope: Scope) -> dict[str, Row]:
    """What the identifiers and turns' names among the values stand for."""
    named_columns = {place for place, column in enumerate(result.columns) if column.rsplit(".")[-1] == "source_id"}
    ids: dict[str, None] = {}
    names: dict[str, None] = {}
    for row in result.rows:
        for place, value in enumerate(row):
            ids.update(dict.fromkeys(_ids(value)))
            if place in named_columns and isinstance(value, str):
                names[value] = None
    if not ids and not names:
        return {}
    meant = await scope.graph.read(
        load("search/words_of_ids"), namespace=scope.namespace, ids=list(ids)[:200], names=list(names)[:200]
    )
    found: dict[str, Row] = {}
    for each in meant:
        several = each["given"] in found and each["given"] in names
        found[each["given"]] = {**each, "kind": "several"} if several else each
    return {given: row for given, row in found.items() if row["kind"] != "several" and _counts(row, scope)}


def _ids(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value] if _ID.match(value) else []
    if isinstance(value, Mapping):
        return [each for item in value.values() for each in _ids(item)]
    if isinstance(value, list | tuple):
        return [each for item in value for each in _ids(item)]
    return []


def _counts(row: Row, scope: Scope) -> bool:
    return not row["words"] or any(each["said_at"] <= scope.until for each in row["words"])


def _row(row: Sequence[Any], known: Mapping[str, Row], scope: Scope) -> RowText:
    longest = scope.settings.quote_characters

    def write(sources: Sources) -> str:
        spoken = [each for each in _ids(row) if each in known and known[each]["kind"] in ("turn", "quotation")]
        whole = _handle(known[spoken[0]], sources) if len(set(spoken)) == 1 else None
        return " | ".join(_cell(value, known, sources, longest, whole) for value in row)

    return write


def _cell(value: Any, known: Mapping[str, Row], sources: Sources, longest: int, whole: str | None) -> str:
    """A value as the model reads it; ``whole`` is the handle of the only turn or quotation of its row, to read on where a text is cut."""

    def as_source(value: Any) -> str | None:
        if isinstance(value, str) and value in known:
            handle = _handle(known[value], sources)
            return handle if _ID.match(value) else f"{quoted(value)} = {handle}"
        if isinstance(value, Mapping) and is_shown_node(value):
            properties = value["properties"].items()
            shown = {key: item for key, item in properties if key not in _SILENT and item not in (None, [], "")}
            identifier, rest = (cell(each, longest, whole, as_source) for each in (value["id"], shown))
            return f"{':'.join(value['labels'])} {identifier} {rest}"
        return None

    return cell(value, longest, whole, as_source)


def _handle(row: Row, sources: Sources) -> str:
    """The handle of what an identifier stands for."""
    words = tuple(citation(each) for each in row["words"])
    if row["kind"] == "turn":
        return sources.turn(_turn(row, words[0]))
    if row["kind"] == "quotation":
        return sources.quotation(words[0])
    if row["kind"] == "entity":
        return sources.entity(row["id"])
    return sources.stated("fact" if row["kind"] == "fact" else "event", row["id"], words)


def _turn(row: Row, words: Citation) -> Hit:
    return Hit(row["id"], words.turn_id, words.session_id, words.speaker, words.said_at, words.quote, 0.0)
