"""What the model sees: the static part with types, properties and examples, and a window with its turns numbered. Pure.

The static part comes first and is the same for every window, so that a service can keep it in its cache.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime
from functools import cache
from itertools import groupby

from graphmem.extract.vocabulary import entity_types, properties
from graphmem.prompts import Example, load
from graphmem.records import Attachment, Turn, Window

GROUPED_FROM = 3
"""Properties that share their first word are listed together from this many on: has_{mother, father, …}."""


@cache
def static_part(title: str) -> str:
    """The system message: the prompt of this name with the vocabulary and the examples in their places."""
    prompt = load(title)
    return prompt.fill(
        entity_types=", ".join(entity_types()),
        properties=grouped(properties()),
        examples="\n\n".join(_example(example) for example in prompt.examples),
    )


def window_part(window: Window) -> str:
    """The user message. Whatever breaks a line inside a turn is shown as an indented line, so that no turn can pass for another."""
    lines: list[str] = []
    if window.session.title:
        lines.append(f"Session: {_one_line(window.session.title)}")
    lines.append(f"Speakers: {', '.join(_one_line(name) for name in window.speakers)}")
    stamps = _stamps(turn.said_at for turn in (*window.context, *window.turns))
    lines += [f"({next(stamps)}{_said(turn)})" for turn in window.context]
    lines += [f"[{number}] {next(stamps)}{_said(turn)}" for number, turn in enumerate(window.turns, start=1)]
    return "\n".join(lines)


def grouped(names: Iterable[str]) -> str:
    """Names in one line, those with a common first word together, in order."""
    parts = []
    for first, same in groupby(sorted(names), key=lambda name: name.partition("_")[0]):
        group = list(same)
        if len(group) < GROUPED_FROM:
            parts += group
        else:
            parts.append(f"{first}_{{{', '.join(name.partition('_')[2] for name in group)}}}")
    return ", ".join(parts)


def _example(example: Example) -> str:
    """An example in the form of a window, with its reply."""
    number = 0
    lines = []
    for position, (speaker, text) in enumerate(example.turns):
        stamp = f"{_day(datetime.fromisoformat(example.said_at))} " if position == 0 else ""
        if speaker.startswith("("):
            lines.append(f"({stamp}{speaker.strip('()')}: {text})")
        else:
            number += 1
            lines.append(f"[{number}] {stamp}{speaker}: {text}")
    return "\n".join([*lines, json.dumps(example.reply, ensure_ascii=False, separators=(",", ":"))])


def _said(turn: Turn) -> str:
    to = f" to {_one_line(turn.addressee)}" if turn.addressee else ""
    shown = "".join(f" [{_shown(each)}]" for each in turn.attachments if each.caption)
    return f"{_one_line(turn.speaker)}{to}: {_indented(turn.text)}{shown}"


def _shown(attachment: Attachment) -> str:
    return f"{_one_line(attachment.kind)}: {_one_line(attachment.caption)}"


def _stamps(moments: Iterable[datetime]) -> Iterator[str]:
    """The day with weekday and offset where it changes, else the time alone, in each speaker's own zone."""
    before = None
    for moment in moments:
        day = _day(moment)
        yield f"{moment:%H:%M} " if day == before else f"{day} {moment:%H:%M} "
        before = day


def _day(moment: datetime) -> str:
    names = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
    return f"{names[moment.weekday()]} {moment:%Y-%m-%d}{moment:%z}"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _indented(text: str) -> str:
    return "\n    ".join(text.strip().splitlines())
