"""The words by which a turn is found: the one place that ingestion and search share."""

from __future__ import annotations

from graphmem.records import Turn

_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def searchable_text(turn: Turn) -> str:
    """What is embedded and indexed of a turn: the speaker's local date, the speaker, the text and the captions of what was shared.

    "8 May 2023, Ana: Look at him! [image: a dog on a sofa]". Months are named here, not by the locale of the machine.
    """
    said = turn.said_at
    shared = "".join(f" [{item.kind}: {item.caption}]" for item in turn.attachments if item.caption)
    return f"{said.day} {_MONTHS[said.month - 1]} {said.year}, {turn.speaker}: {turn.text}{shared}"
