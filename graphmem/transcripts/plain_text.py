"""Plain text: ``Speaker: text`` lines under dated session headings. The shapes that are understood are listed in docs/transcripts.md.

A line is, in this order: a heading, a turn, or a continuation of the turn before it. What decides is only the line itself and whether an
empty line stands before it, so that a file that grows is read as before up to where it grew.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta, tzinfo

from graphmem.errors import TranscriptError
from graphmem.transcripts.drafts import Report, SessionDraft, TurnDraft
from graphmem.transcripts.fields import storable
from graphmem.transcripts.moments import Written, fixed
from graphmem.transcripts.text_lines import Heading, Spoken, heading, spoken

NAME = "plain text"
_PAUSE = timedelta(hours=4)
_HALF_A_DAY = timedelta(hours=12)
_BINARY = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\ufffd]")


def looks_like(text: str) -> bool:
    """Whether a text, not binary data, has a line that somebody speaks and a date above or before it."""
    start = text[:4096]
    if len(_BINARY.findall(start)) > len(start) // 10 or start.lstrip()[:1] in ("{", "<"):
        return False
    dated = said = False
    before = ""
    for line in text.split("\n"):
        if (above := heading(line, after_blank=not before.strip())) is not None:
            dated = dated or above.states_a_date
            line = ""  # as in read: the line below a heading counts as after an empty line
        elif (turn := spoken(line)) is not None:
            said = True
            dated = dated or (turn.stamp is not None and (turn.stamp.day is not None or turn.stamp.error is not None))
        if dated and said:
            return True
        before = line
    return False


def read(text: str, where: str, zone: tzinfo, report: Report) -> Iterator[SessionDraft]:
    """The sessions of a file.

    Turns under a heading whose date is missing or impossible are left out and counted, unless they are dated themselves.
    """
    block = _Block(where, 1, Heading(Written(), None), zone, report)
    blank_lines = 1  # the beginning of a file and the line below a heading count as after an empty line
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            blank_lines += 1
            continue
        if (above := heading(line, after_blank=blank_lines > 0)) is not None:
            yield from block.sessions()
            if not block.turns and not block.heading.states_a_date:  # "## Session 3" and its date on the next line
                above = replace(above, title=above.title or block.heading.title)
            block = _Block(where, number, above, zone, report)
            blank_lines = 1
            continue
        if (turn := spoken(line)) is not None:
            block.begin(number, turn)
        else:
            block.go_on(number, line, blank_lines)
        blank_lines = 0
    yield from block.sessions()


@dataclass(slots=True)
class _Block:
    """What stands below one heading, or before the first, while it is read."""

    where: str
    line: int
    heading: Heading
    zone: tzinfo
    report: Report
    turns: list[TurnDraft] = field(default_factory=list)
    open: TurnDraft | None = None
    lines: list[str] = field(default_factory=list)
    last: datetime | None = None
    skipping: bool = False
    undated: int = 0
    orphans: int = 0
    first_orphan: tuple[int, str] = (0, "")

    def __post_init__(self) -> None:
        written = self.heading.written
        if written.day is None:
            return
        try:
            self.last = fixed(datetime.combine(written.day, written.clock or time(), written.offset), self.zone)
        except TranscriptError as exc:
            self.heading = Heading(Written(error=str(exc)), self.heading.title)

    def begin(self, number: int, said: Spoken) -> None:
        self._close()
        place = f"{self.where}:{number}"
        try:
            said_at = self._when(said.stamp)
        except TranscriptError as exc:
            self.report(place, f"{exc}; the turn is left out")
            self.skipping = True
            return
        if said_at is None:
            self.undated += 1
            self.skipping = True
        elif not said.speaker:
            self.report(place, f"the speaker is missing: {said.text[:60]!r}; the turn is left out")
            self.skipping = True
        else:
            self.skipping = False
            self.last = said_at
            self.open = TurnDraft(place, None, storable(said.speaker, place, self.report), "", said_at)
            self.lines = [said.text] if said.text else []

    def go_on(self, number: int, line: str, blank_lines: int) -> None:
        if self.open is not None:
            self.lines.extend([""] * blank_lines if self.lines else [])
            self.lines.append(line)
        elif not self.skipping and not line.startswith("#"):
            self.orphans += 1
            if self.orphans == 1:
                self.first_orphan = (number, line.strip()[:60])

    def sessions(self) -> Iterator[SessionDraft]:
        """The session, or the sessions that long pauses make where no heading does."""
        self._close()
        if self.undated:
            reason = self.heading.written.error or "no date stands above"
            self.report(
                f"{self.where}:{self.line}",
                f"{reason}; {self.undated} turn(s) below that state no date themselves are left out",
            )
        if self.orphans:
            number, words = self.first_orphan
            self.report(
                f"{self.where}:{number}",
                f"no speaker is named for {self.orphans} line(s) from {words!r} on; they are left out",
            )
        start = 0
        for at in range(1, len(self.turns)):
            if self.heading.written.day is None and self.turns[at].said_at - self.turns[at - 1].said_at > _PAUSE:
                yield SessionDraft(NAME, None, None, tuple(self.turns[start:at]), self.heading.title)
                start = at
        yield SessionDraft(NAME, None, None, tuple(self.turns[start:]), self.heading.title)

    def _close(self) -> None:
        if self.open is None:
            return
        text = "\n".join(self.lines).rstrip()
        if text:
            self.turns.append(replace(self.open, text=storable(text, self.open.where, self.report)))
        else:
            self.report(self.open.where, f"{self.open.speaker} says nothing here; the turn is left out")
        self.open = None

    def _when(self, stamp: Written | None) -> datetime | None:
        """When a turn is said: as stamped, else with the turn before it. None where no date is known."""
        if stamp is None:
            return self.last
        if stamp.error is not None:
            raise TranscriptError(stamp.error)
        if stamp.day is not None:
            return self._moment(stamp.day, stamp)
        if self.last is None:
            return None
        said_at = self._moment(self.last.date(), stamp)
        if said_at < self.last - _HALF_A_DAY:  # from 23:58 to 00:02 is past midnight, not back to the morning
            said_at = self._moment(self.last.date() + timedelta(days=1), stamp)
        return said_at

    def _moment(self, day: date, stamp: Written) -> datetime:
        written = self.heading.written
        return fixed(datetime.combine(day, stamp.clock or time(), stamp.offset or written.offset), self.zone)
