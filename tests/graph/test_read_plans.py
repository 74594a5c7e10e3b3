"""The query files of ``cypher/read/`` that decide what holds: they start from indexes, and what they share is the same in all of them."""

from __future__ import annotations

import re

import pytest

from graphmem.graph.connection import Graph
from graphmem.graph.queries import load, load_all

MINE = (
    "after", "before", "between", "changed", "conflicts", "count", "denials", "diff", "diff_turns", "entities", "event_time", "events",
    "fact", "facts", "first", "gaps", "history", "how_long", "last", "properties", "timeline", "turn",
)  # fmt: skip
LISTS = {"subjects", "properties", "names", "ids", "verbs", "words"}
BLOCK = re.compile(r"^// -+ (\w+): begin\n(.*?)^// -+ \1: end\n", re.DOTALL | re.MULTILINE)


def blocks(text: str) -> dict[str, str]:
    """The parts between rules of dashes, by name; also those inside another."""
    found = {}
    for name, body in BLOCK.findall(text):
        found[name] = body
        found |= blocks(body)
    return found


@pytest.mark.parametrize("name", MINE)
async def test_query_starts_from_an_index(graph: Graph, name: str) -> None:
    """No plan scans a label or the database, also where a whole namespace is asked for."""
    query = load(f"read/{name}")
    parameters = {
        p: [] if p in LISTS else {} if p == "placed" else 1 if p == "limit" else None if p.endswith("_by") else "x"
        for p in query.parameters
    }
    kind, plan = await graph.explain(query.text, parameters)
    assert kind == "r"
    operators = list(walk(plan))
    assert not [o for o in operators if "Scan" in o], operators
    assert any("IndexSeek" in o for o in operators), operators


def walk(plan: dict) -> list[str]:
    """The operators of a plan."""
    return [str(plan["operatorType"]), *(o for child in plan.get("children", []) for o in walk(child))]


def test_what_files_share_is_the_same_in_all_of_them() -> None:
    """Cypher has no functions of one's own, and a query must be pasteable as it is; so files repeat, and may not differ."""
    first: dict[str, tuple[str, str]] = {}
    for name in MINE:
        for block, body in blocks(load(f"read/{name}").text).items():
            seen, where = first.setdefault(block, (body, name))
            assert body == seen, f"the part {block!r} of read/{name} and that of read/{where} differ"
    assert set(first) == {"threads", "standing", "periods", "shown", "happened", "told"}


def test_every_reading_query_is_checked_here() -> None:
    """A new file of this kind is added to the list."""
    with_blocks = {
        name.split("/")[1] for name, query in load_all().items() if name.startswith("read/") and blocks(query.text)
    }
    assert with_blocks <= set(MINE)
