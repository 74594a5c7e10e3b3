"""What holds, decided the slow way: a model in plain Python that the queries are checked against.

It answers for one instant at a time, from the definitions in ``graphmem/graph/read.py``, without ever building a period: it looks back from
the instant to the statement that holds, and finds where a period ends by asking again at every later instant at which anything changes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property


@dataclass(frozen=True)
class Statement:
    """A stored fact. ``value`` is its text or, with ``value_entity``, an entity; ``about`` are facts it corrects, retracts or replaces."""

    id: str
    subject: str
    property: str
    single: bool
    value: str
    polarity: str
    begins: datetime
    start_stated: bool
    ends: datetime | None
    asserted_at: datetime
    created_at: datetime
    confidence: float
    extractions: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    how: str = ""


@dataclass(frozen=True)
class Extraction:
    """When it was stored, and when it was replaced, if it was."""

    id: str
    created_at: datetime
    replaced_at: datetime | None = None


@dataclass(frozen=True)
class Decision:
    """That two entities are the same, or that they are not. ``decided_at`` orders the decisions of a pair."""

    a: str
    b: str
    same: bool
    decided_at: str
    created_at: datetime


@dataclass(frozen=True)
class Held:
    """What held at an instant: the value, its period, the statements it rests on and those that lost to it."""

    value: str
    start: datetime
    end: datetime | None
    start_stated: bool
    members: frozenset[str]
    losers: frozenset[str]


@dataclass
class World:
    """Everything that was ever stored, with the order in which entities were."""

    statements: list[Statement] = field(default_factory=list)
    extractions: dict[str, Extraction] = field(default_factory=dict)
    decisions: list[Decision] = field(default_factory=list)
    entities: list[str] = field(default_factory=list)

    def settle(self) -> None:
        """Looks up once who says what of whom and what; to be called when the last statement is in."""
        self.undoers: dict[str, list[Statement]] = {}
        self.of: dict[tuple[str, str], list[Statement]] = {}
        for statement in self.statements:
            self.of.setdefault((statement.subject, statement.property), []).append(statement)
            for target in statement.about:
                self.undoers.setdefault(target, []).append(statement)

    def see(self, said_by: datetime | None, known_at: datetime | None) -> View:
        """The world as somebody sees it who asks for these times."""
        return View(self, said_by, known_at)


class View:
    """The statements that stand, and which entities are one."""

    def __init__(self, world: World, said_by: datetime | None, known_at: datetime | None) -> None:
        self.world = world
        self.said_by = said_by
        self.known_at = known_at
        self._stands: dict[str, bool] = {}
        self.joined = [pair for pair in self._pairs() if self._latest_says_same(pair)]

    def known(self, moment: datetime) -> bool:
        return self.known_at is None or moment <= self.known_at

    def _pairs(self) -> set[frozenset[str]]:
        return {frozenset((d.a, d.b)) for d in self.world.decisions if self.known(d.created_at)}

    def _latest_says_same(self, pair: frozenset[str]) -> bool:
        decided = [d for d in self.world.decisions if frozenset((d.a, d.b)) == pair and self.known(d.created_at)]
        return max(decided, key=lambda d: (d.decided_at, not d.same)).same

    def group(self, entity: str) -> set[str]:
        """Every entity that is this one."""
        found = {entity}
        while True:
            more = {other for pair in self.joined if pair & found for other in pair} - found
            if not more:
                return found
            found |= more

    def one(self, entity: str) -> str:
        """The entity that stands for the group: the first stored. Text that is no entity stands for itself."""
        if entity not in self.world.entities:
            return entity
        return min(self.group(entity), key=self.world.entities.index)

    def stands(self, statement: Statement) -> bool:
        if statement.id not in self._stands:
            self._stands[statement.id] = (
                self.known(statement.created_at)
                and (self.said_by is None or statement.asserted_at <= self.said_by)
                and self._in_force(statement)
                and not any(self.stands(undoer) for undoer in self.world.undoers.get(statement.id, ()))
            )
        return self._stands[statement.id]

    def _in_force(self, statement: Statement) -> bool:
        if not statement.extractions:
            return True
        extractions = [self.world.extractions[name] for name in statement.extractions]
        return any(
            self.known(x.created_at) and (x.replaced_at is None or not self.known(x.replaced_at)) for x in extractions
        )

    def threads(self, subject: str, property_: str) -> list[Thread]:
        """What was said of a subject's property: in one thread, or in one for each value where it has several at a time."""
        own = [
            s
            for owner in sorted(self.group(subject))
            for s in self.world.of.get((owner, property_), ())
            if s.how != "retracts" and self.stands(s)
        ]
        value = {s.id: self.one(s.value) for s in own}
        if all(s.single for s in own):
            return [Thread(own, value)]
        held = sorted({value[s.id] for s in own if s.polarity == "holds"})
        return [
            Thread([s for s in own if value[s.id] == one or (s.polarity != "holds" and s.value == "")], value)
            for one in held
        ]

    def held(self, subject: str, property_: str, t: datetime) -> list[Held]:
        """What holds at an instant, with the period it belongs to."""
        return [held for thread in self.threads(subject, property_) for held in thread.held(t)]

    def periods(self, subject: str, property_: str) -> list[Held]:
        """Every period there is."""
        return [held for thread in self.threads(subject, property_) for held in thread.periods()]

    def not_known_before(self, subject: str, property_: str, t: datetime) -> list[datetime]:
        """When the first periods begin that begin after an instant, with nobody saying that they begin there."""
        firsts = [periods[0] for thread in self.threads(subject, property_) if (periods := thread.periods())]
        return sorted(held.start for held in firsts if held.start > t and not held.start_stated)

    def latest(self, subject: str, property_: str) -> list[Held]:
        """What is still open or, where nothing is, what held last."""
        periods = self.periods(subject, property_)
        ends = [held.end for held in periods if held.end is not None]
        return [h for h in periods if h.end is None] or [h for h in periods if h.end == max(ends)]


def moment(statement: Statement) -> datetime:
    """When a statement begins or, for an ending, the moment that it is of."""
    if statement.polarity == "ended" and statement.ends is not None:
        return statement.ends
    return statement.begins


def trust(statement: Statement) -> tuple[bool, datetime, float]:
    """How far a statement is believed: a correction first, then the later said, then the more confident."""
    return (statement.how == "corrects", statement.asserted_at, statement.confidence)


def order(statement: Statement) -> tuple[object, ...]:
    """The order in which statements begin."""
    return (moment(statement), *trust(statement), statement.created_at, statement.id)


class Thread:
    """The statements that stand about one property of one subject, asked about one instant at a time."""

    def __init__(self, statements: Iterable[Statement], values: dict[str, str]) -> None:
        self.statements = sorted(statements, key=order)
        self.value = values
        self.holding = [s for s in self.statements if s.polarity == "holds"]
        firm = {x.id: self._firm_until(x) for x in self.holding}
        self.at = {
            y.id: max(
                [moment(y)]
                + [
                    until
                    for x in self.holding
                    if (until := firm[x.id]) is not None
                    and x.begins <= moment(y) < until
                    and trust(x) > trust(y)
                    and self.against(y, x)
                ]
            )
            for y in self.statements
        }
        self._turns = {s.id: (self.at[s.id], *order(s)) for s in self.statements}

    def against(self, y: Statement, x: Statement) -> bool:
        """Whether ``y`` says that ``x``, which holds, does not."""
        if y.polarity != "holds":
            return self.value[y.id] in ("", self.value[x.id])
        return x.single and self.value[y.id] != self.value[x.id]

    def _firm_until(self, x: Statement) -> datetime | None:
        if x.ends is None:
            return None
        cuts = [
            moment(y)
            for y in self.statements
            if self.against(y, x) and x.begins <= moment(y) < x.ends and trust(y) > trust(x)
        ]
        return min([x.ends, *cuts])

    def turn(self, s: Statement) -> tuple[object, ...]:
        """When a statement takes effect and, of those at one instant, with how much right."""
        return self._turns[s.id]

    def ever(self, x: Statement) -> bool:
        """Whether a statement that holds ever comes to hold: not if it is over, or contradicted, when its turn comes."""
        if x.ends is not None and x.ends <= self.at[x.id]:
            return False
        return not any(
            self.against(y, x) and self.at[y.id] == self.at[x.id] and self.turn(y) > self.turn(x)
            for y in self.statements
            if y.polarity != "holds" or y.ends is None or self.at[y.id] < y.ends
        )

    @cached_property
    def effective(self) -> list[Statement]:
        """The endings, and the statements that come to hold."""
        return [s for s in self.statements if s.polarity != "holds" or self.ever(s)]

    def holder_runs(self, t: datetime) -> list[list[Statement]]:
        """For every value that holds at an instant, the equal statements up to then that make its period so far."""
        begun = [s for s in self.effective if self.at[s.id] <= t]
        runs = []
        for value in {self.value[s.id] for s in begun if s.polarity == "holds"}:
            own = [s for s in begun if s.polarity == "holds" and self.value[s.id] == value]
            breaks = [self.turn(b) for b in begun if self.against(b, own[0])]
            last = max(breaks, default=None)
            own = sorted((s for s in own if last is None or self.turn(s) > last), key=self.turn)
            if not own or not self.covers(own, t):
                continue
            while True:
                start = self.at[own[0].id]
                gap = [i for i in range(1, len(own)) if not self.reaches(own[:i], self.at[own[i].id])]
                if not gap:
                    break
                own = own[gap[-1] :]
                assert self.at[own[0].id] > start
            runs.append(own)
        return runs

    def _reach(self, run: list[Statement]) -> datetime | None:
        ends = [s.ends for s in run if s.ends is not None]
        open_at = [max(self.at[s.id], s.asserted_at) for s in run if s.ends is None]
        if not ends or (open_at and max(open_at) >= max(ends)):
            return None
        return max(ends)

    def covers(self, run: list[Statement], t: datetime) -> bool:
        """Whether equal statements say, together, that it holds at an instant."""
        reach = self._reach(run)
        return reach is None or t < reach

    def reaches(self, run: list[Statement], t: datetime) -> bool:
        """Whether equal statements reach an instant without a gap."""
        reach = self._reach(run)
        return reach is None or t <= reach

    @cached_property
    def changes(self) -> list[datetime]:
        """Every instant at which anything may change."""
        return sorted({*self.at.values(), *(s.ends for s in self.holding if s.ends is not None)})

    def held(self, t: datetime) -> list[Held]:
        """What holds at an instant, with the period it belongs to."""
        result = []
        for run in self.holder_runs(t):
            first = run[0]
            end, members = None, run
            for later in self.changes:
                if later <= t:
                    continue
                again = [r for r in self.holder_runs(later) if r[0].id == first.id]
                if not again:
                    end = later
                    break
                members = again[0]
            start = self.at[first.id]
            result.append(
                Held(
                    value=self.value[first.id],
                    start=start,
                    end=end,
                    start_stated=any(s.start_stated for s in members if self.at[s.id] == start),
                    members=frozenset(s.id for s in members),
                    losers=frozenset(self.losers(members, t)),
                )
            )
        return result

    def losers(self, members: list[Statement], t: datetime | None) -> list[str]:
        """The statements that disagree with members about an instant, and are believed less; about any time if t is None."""
        lost = []
        for x in members:
            for y in self.statements:
                first, second = (x, y) if order(x) < order(y) else (y, x)
                if first.polarity != "holds" or not self.against(second, first):
                    continue
                since = moment(second)
                if first.begins != since and (first.ends is None or first.ends <= since):
                    continue
                winner = first if first.begins < since and trust(first) > trust(second) else second
                bounds = [s.ends for s in (first, second) if s.polarity == "holds" and s.ends is not None]
                until = min(bounds) if bounds else None
                if winner is x and (t is None or (since <= t and (until is None or t < until))):
                    lost.append(y.id)
        return lost

    def periods(self) -> list[Held]:
        """Every period there is, found by asking at each instant at which anything may change. Losers are those of its start."""
        found = {}
        for t in self.changes:
            for held in self.held(t):
                found.setdefault((held.value, held.start, held.members), held)
        return sorted(found.values(), key=lambda h: (h.start, h.value))
