"""From matches to a choice: what is cited, and how much of a turn is quoted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphmem.answer.choice import Choice
from graphmem.answer.compose import citation_of, time_text
from graphmem.answer.match import Match
from graphmem.answer.offer import Offer
from graphmem.answer.plan import Plan
from graphmem.records import Interval

NEAREST_NOTE = "This was not said in so many words; it is what comes nearest."
LONGEST = 320
"""Code points of a turn that are quoted where no short answer could be cut from it."""


def made(
    plan: Plan,
    matches: Sequence[Match],
    offer: Offer | None = None,
    short: str | None = None,
    time: Interval | None = None,
    quoted: int = 1,
) -> Choice:
    """A choice that cites these matches; the first quotation reaches as far as the words of the offer."""
    cited = tuple(
        citation_of(m.statement, offer.end if offer is not None and i == 0 else None) for i, m in enumerate(matches)
    )
    return Choice(plan.form, short if offer is None else offer.text, cited, time, quoted=quoted)


def timed(plan: Plan, matches: Sequence[Match], time: Interval | None, quoted: int = 1) -> Choice:
    """A choice whose short answer is a time; without one, if the words name none."""
    return made(plan, matches, short=None if time is None else time_text(time), time=time, quoted=quoted)


def quoted_turn(plan: Plan, matches: Sequence[Match]) -> Choice:
    """A choice without a short answer: the whole of a turn that is not too long, since the answer may stand beside the matching words."""
    chosen = made(plan, matches)
    hit = matches[0].statement.hit
    if len(hit.text) > LONGEST:
        return chosen
    start = len(hit.text) - len(hit.text.lstrip())
    end = len(hit.text.rstrip())
    whole = replace(chosen.citations[0], quote=hit.text[start:end], start=start, end=end)
    return replace(chosen, citations=(whole, *chosen.citations[1:]))
