"""The plan of a question: what it asks about, for which time, and by which operations. Pure rules; no model and no database.

Names are given by the caller, who has looked up which runs of words are names in the namespace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from graphmem.answer.properties import properties_asked
from graphmem.answer.question import Reader
from graphmem.answer.targets import Anchor, Form, Name, Plan, Term, Want
from graphmem.records import Interval
from graphmem.temporal import Policy

__all__ = ["Anchor", "Form", "Name", "Plan", "Term", "Want", "bullets", "plan", "properties_asked"]


def plan(question: str, asked_at: datetime, names: Sequence[Name] = (), policy: Policy | None = None) -> Plan:
    """The plan of a question asked at an aware datetime, given the names of the memory that occur in it.

    Words that name a time are read from ``asked_at``, by the ``policy`` where they can be read in several ways. Any text makes a plan; one
    without a form is a ``search``.
    """
    made = Reader(question, asked_at, names, policy).plan()
    made = replace(made, operations=_operations(made.form))
    return replace(made, bullets=bullets(made))


def _operations(form: Form) -> tuple[str, ...]:
    table: Mapping[str, tuple[str, ...]] = {
        "current": ("latest",), "at_time": ("value at a time",), "before_event": ("order", "value before"),
        "after_event": ("order", "value after"), "first": ("order", "first"), "last": ("order", "latest"), "when": ("date",),
        "how_long": ("duration",), "how_many": ("count",), "who_else": ("list", "exclude"), "changed": ("compare", "order"),
        "attribute": ("look up",), "search": ("search",),
    }  # fmt: skip
    return table[form]


def bullets(made: Plan) -> tuple[str, ...]:
    """One to five lines that show the plan to a reader."""
    about = ", ".join([*made.subjects, *(term.text for term in made.terms)]) or "anything"
    lines = [f"Targets: {about}" + (f" (properties: {', '.join(made.properties)})" if made.properties else "")]
    if made.time is not None:
        lines.append(f"Time: {made.time_text} = {_shown(made.time)}")
    if made.anchor is not None:
        lines.append(f"Anchor: {made.anchor.relation} {made.anchor.text}")
    lines.append(
        f"Wanted: {made.asked or made.want}, form {made.form}, operations: {', '.join(made.operations)}; hops: {made.hops}"
    )
    if made.excluded:
        lines.append("Not counted: " + ", ".join(term.text for term in made.excluded))
    return tuple(lines[:5])


def _shown(time: Interval) -> str:
    start = time.start.date().isoformat() if time.start is not None else ".."
    end = time.end.date().isoformat() if time.end is not None else ".."
    return f"[{start}, {end})"
