"""The reason of what somebody told, where they were asked for it right after: "Why?" and what they replied. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from graphmem.answer.choice import Choice
from graphmem.answer.match import match
from graphmem.answer.plan import Plan
from graphmem.answer.quoting import quoted_turn
from graphmem.answer.relevance import gives_reason
from graphmem.answer.statements import Statement

SOON = timedelta(hours=1)
"""How long after something was told a "why" still asks for its reason."""


def with_reason(plan: Plan, chosen: Choice, statements: Sequence[Statement]) -> Choice:
    """The choice with the reply to "why" first, where its own words give no reason and the same speaker was asked for one."""
    sentences = [each for each in statements if each.hit.turn_id == chosen.citations[0].turn_id]
    told = max(sentences, key=lambda each: match(each, plan).fit, default=None)
    if told is None or gives_reason(told):
        return chosen
    replies = [
        each
        for each in statements
        if "why" in each.replies_to
        and each.hit.speaker == told.hit.speaker
        and each.hit.session_id == told.hit.session_id
        and told.said_at < each.said_at <= told.said_at + SOON
    ]
    if not replies:
        return chosen
    reply = quoted_turn(plan, [match(min(replies, key=lambda each: (each.said_at, each.start)), plan)])
    return replace(chosen, short=None, citations=(*reply.citations, *chosen.citations), quoted=2)
