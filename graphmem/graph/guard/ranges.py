"""How many numbers a range() gives, where that is known before it runs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphmem.graph.guard.sizes import LONGEST_LIST, LONGEST_RANGE
from graphmem.graph.guard.syntax import Call, Constant, Expression, Operation, Parameter


def range_count(tree: Call, parameters: Mapping[str, Any]) -> int | str:
    """The most numbers of a range() between numbers known here, or up to the size of a list; or why it is not taken."""
    ends = [_number(argument, parameters) for argument in tree.arguments]
    if len(ends) not in (2, 3):
        return "range() takes a first and a last number and may take a step; give these"
    first, last, step = ends[0], ends[1], ends[2] if len(ends) == 3 else 1
    if first is not None and last is not None and step is not None:
        count = max(0, (last - first) // (step or 1) + 1)
    elif first is not None and abs(first) <= LONGEST_RANGE and len(ends) == 2 and _up_to_a_size(tree.arguments[1]):
        count = LONGEST_LIST
    else:
        return "range() with bounds that are not known beforehand; write numbers, or range(0, size(list) - 1)"
    return count if count <= LONGEST_RANGE else f"range() over {count} numbers; at most {LONGEST_RANGE} are taken"


def _number(tree: Expression, parameters: Mapping[str, Any]) -> int | None:
    value = (
        tree.value if isinstance(tree, Constant) else parameters.get(tree.name) if isinstance(tree, Parameter) else None
    )
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _up_to_a_size(tree: Expression) -> bool:
    """Whether it is size(…), or that less or plus a small number."""
    if isinstance(tree, Operation) and tree.operator in ("-", "+") and isinstance(tree.operands[1], Constant):
        number = tree.operands[1].value
        return isinstance(number, int) and abs(number) <= LONGEST_RANGE and _up_to_a_size(tree.operands[0])
    return isinstance(tree, Call) and tree.name == "size"
