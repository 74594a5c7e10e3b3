"""``explain-time``: how words become an interval."""

from __future__ import annotations

from typing import Annotated

import typer

from graphmem import temporal
from graphmem.cli.app import AsJson, app
from graphmem.cli.show import as_json, line
from graphmem.moments import as_moment
from graphmem.settings import from_environment
from graphmem.temporal import Explanation, Policy


@app.command("explain-time", epilog='Example: graphmem explain-time "two weekends ago" --said-at 2023-05-25T13:14')
def explain_time(
    text: Annotated[str, typer.Argument(help="Words that may name a time.", show_default=False)],
    said_at: Annotated[str, typer.Option("--said-at", help="When they were said, in the speaker's zone: an ISO time.")],
    policy: Annotated[
        list[str] | None, typer.Option("--policy", help="A reading to override, such as week_start=sunday. Repeatable.")
    ] = None,
    json: AsJson = False,
) -> None:
    """Show how words become an interval: the rule, the policy in force, the arithmetic, and the other readings. Needs no database."""
    settings = from_environment()
    said = as_moment(said_at, settings.tzinfo, "--said-at")
    assert said is not None
    found = temporal.explain(text, said, Policy.parse(",".join(filter(None, [settings.time_policy, *(policy or [])]))))
    if json:
        as_json(found)
        return
    if not found:
        line("this names no time", "yellow")
    for each in found:
        _show(each)


def _show(found: Explanation) -> None:
    expression = found.expression
    line(f"“{expression.text}”  characters {expression.start} to {expression.end}", "bold")
    line(f"  rule         {expression.rule}: {found.formula}, anchored at {found.anchor}")
    line(f"  policy       {', '.join(expression.policies) or 'none takes part'}")
    for number, step in enumerate(found.steps):
        line(f"  {'arithmetic' if number == 0 else '':11}  {step}")
    interval = "none" if expression.interval is None else temporal.written(expression.interval)
    line(f"  interval     {interval}")
    line(f"  granularity  {expression.granularity}, confidence {expression.confidence:g}, {expression.kind}")
    for number, other in enumerate(expression.alternatives):
        line(f"  {'or also' if number == 0 else '':11}  {temporal.written(other)}")
