"""What the queries say holds, against a model that decides it the slow way, over a long and unruly history."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from graphmem.graph import read
from graphmem.graph.connection import Graph
from graphmem.ids import digest
from tests.graph.read_world import Scribe, at
from tests.graph.reference_model import Decision, Extraction, Statement, View, World

FACTS = 2000
POINTS = 5000
COMMITS = 25
PEOPLE = 10
FIRST = at("2019-01-01")
DAYS = 5 * 365
PROPERTIES = {"lives_in": True, "works_at": True, "mood": True, "likes": False}
VALUES = {
    "works_at": ("acme", "beta", "gamma", "delta"),
    "mood": ("glad", "tired", "calm"),
    "likes": ("tea", "jazz", "chess", "rain", "figs"),
}
CITIES = ("Lisbon", "Lisboa", "Porto", "Faro", "Braga")


class History:
    """A generated history: moves, moves back, repetitions, overlaps, endings, corrections of all depths, retractions, late arrivals."""

    def __init__(self, graph: Graph, namespace: str, seed: int) -> None:
        self.random = random.Random(seed)
        self.scribe = Scribe(graph, namespace)
        self.world = World()
        self.commits: list[datetime] = []
        self.people: list[str] = []
        self.cities: list[str] = []
        self.pending: list[Statement] = []
        self.kinds: dict[str, int] = {}

    def day(self, low: int = -60, high: int = DAYS) -> datetime:
        """A day of the history; every other time the first of a month, so that things fall on the same day."""
        moment = FIRST + timedelta(days=self.random.randint(low, high))
        return moment.replace(day=1) if self.random.random() < 0.5 else moment

    async def write(self) -> None:
        """Appends the whole history, commit by commit."""
        self.people = [self.scribe.entity(f"Person {i}") for i in range(PEOPLE)]
        self.cities = [self.scribe.entity(name, "Place") for name in CITIES]
        self.world.entities = sorted([*self.people, *self.cities])
        share = FACTS // COMMITS
        for number in range(COMMITS):
            self.decide(number)
            spoken = FIRST + timedelta(days=DAYS * number // COMMITS)
            for _ in range(share):
                self.statement(spoken)
            self.extract(number)
            stored = await self.scribe.commit()
            self.commits.append(stored)
            self.world.statements += [replace(s, created_at=stored) for s in self.pending]
            self.pending.clear()
            for name, x in self.world.extractions.items():
                if x.created_at == datetime.max:
                    self.world.extractions[name] = replace(x, created_at=stored)
                elif x.replaced_at == datetime.max:
                    self.world.extractions[name] = replace(x, replaced_at=stored)
            self.world.decisions = [
                replace(d, created_at=stored) if d.created_at == datetime.max else d for d in self.world.decisions
            ]
        self.world.settle()

    def decide(self, number: int) -> None:
        """Who is found to be whom, and found not to be after all."""
        p, c = self.people, self.cities
        plan = {
            4: (p[2], p[3], True),
            8: (p[0], p[1], True),
            10: (c[0], c[1], True),
            12: (p[4], p[5], True),
            14: (p[6], p[5], True),
            16: (p[1], p[0], False),
            18: (p[4], p[5], False),
            21: (p[0], p[1], True),
        }
        if number in plan:
            a, b, same = plan[number]
            when = f"2024-01-{number:02d}T00:00:00+00:00"
            self.scribe.decide(a, b, "SAME_AS" if same else "DISTINCT_FROM", when)
            self.world.decisions.append(Decision(a, b, same, when, datetime.max))

    def statement(self, spoken: datetime) -> None:
        """One more statement of some kind."""
        r = self.random
        said = spoken if r.random() < 0.3 else spoken + timedelta(days=r.randint(0, 70), hours=r.choice((0, 0, 9)))
        subject, name = r.choice(self.people), r.choice(tuple(PROPERTIES))
        value = r.choice(self.cities if name == "lives_in" else VALUES[name])
        since: datetime | None = None
        until: datetime | None = None
        polarity, how, about = "holds", "", ()
        kind = r.choices(
            ("says", "since", "overlap", "late", "until", "ended", "denied", "correct", "retract", "replace"),
            (22, 22, 9, 16, 2, 7, 5, 9, 5, 3),
        )[0]
        mine = [s for s in self.world.statements if s.subject == subject and s.property == name]
        if kind in ("correct", "retract", "replace"):
            corrections = [s for s in self.world.statements if s.how]
            mine = corrections if corrections and r.random() < 0.4 else mine
            if not mine:
                kind = "since"
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if kind == "since":
            since = min(said, self.day(-60, (said - FIRST).days + 1))
            since = since if r.random() < 0.6 else said.replace(day=1, hour=0)
        elif kind == "overlap":
            since = self.day(0, (said - FIRST).days + 40)
            until = since + timedelta(days=r.choice((31, 90, 400, 900)))
        elif kind == "late":
            said = self.day(0, (said - FIRST).days + 1)
            if r.random() < 0.6:
                since = min(said, self.day(-60, (said - FIRST).days + 1))
                until = since + timedelta(days=r.choice((10, 60, 365))) if r.random() < 0.6 else None
        elif kind == "until":
            until = said - timedelta(days=r.randint(1, 300))
        elif kind in ("ended", "denied"):
            polarity = kind
            since = said.replace(day=1, hour=0) if r.random() < 0.5 else None
            value = "" if r.random() < 0.2 else value
            if kind == "ended" and r.random() < 0.5:
                until = said - timedelta(days=r.randint(1, 90))
                since = until - timedelta(days=r.randint(1, 400)) if r.random() < 0.5 else None
        elif kind in ("correct", "retract", "replace"):
            targets = r.sample(mine, min(len(mine), r.choice((1, 1, 2))))
            how, about = kind.rstrip("e") + ("es" if kind == "replace" else "s"), tuple(t.id for t in targets)
            if r.random() < 0.8:
                since = targets[0].begins if targets[0].start_stated else None
                until = targets[0].ends if since is not None and targets[0].polarity == "holds" else None
            if how == "retracts":
                value, polarity = targets[0].value, "denied"
        confidence = r.choice((0.5, 0.5, 0.7))
        text = (
            ""
            if value == ""
            else CITIES[self.cities.index(value)]
            if name == "lives_in" and value in self.cities
            else value
        )
        identifier = self.scribe.fact(
            subject,
            name,
            text,
            said,
            since,
            until,
            single=PROPERTIES[name],
            polarity=polarity,
            confidence=confidence,
            value_entity=value if name == "lives_in" and value in self.cities else None,
            corrects=about if how == "corrects" else (),
            retracts=about if how == "retracts" else (),
            replaces=about if how == "replaces" else (),
        )
        begins = since or (min(said, until) if until is not None else said)
        if polarity == "holds" and since is None and until is not None and until <= begins:
            begins = until - timedelta(microseconds=1)
        self.pending.append(
            Statement(
                identifier, subject, name, PROPERTIES[name], value, polarity, begins, since is not None, until, said,
                datetime.max, confidence, (), about, how,
            )
        )  # fmt: skip

    def extract(self, number: int) -> None:
        """Statements that nobody typed in come from extractions; now and then one replaces another, and repeats some of it."""
        plain = [s for s in self.pending if not s.how]
        for part in (0, 1):
            name = f"{number}.{part}"
            produced = [s.id for s in plain[part::2]]
            earlier = [
                x for x, e in self.world.extractions.items() if e.replaced_at is None and e.created_at != datetime.max
            ]
            gone = self.random.sample(earlier, 1) if earlier and self.random.random() < 0.4 else []
            again = [
                s.id for s in self.world.statements if set(gone) & set(s.extractions) and self.random.random() < 0.5
            ]
            self.scribe.extraction(name, [*produced, *again], replaces=gone)
            self.world.extractions[name] = Extraction(name, datetime.max)
            for replaced in gone:
                self.world.extractions[replaced] = replace(self.world.extractions[replaced], replaced_at=datetime.max)
            self.pending = [replace(s, extractions=(name,)) if s.id in produced else s for s in self.pending]
            self.world.statements = [
                replace(s, extractions=(*s.extractions, name)) if s.id in again else s for s in self.world.statements
            ]

    def points(self, count: int) -> list[tuple[str, str, datetime | None, datetime | None, datetime | None]]:
        """Subject, property, as_of, said_by and known_at, at random; often right at an instant at which something changes."""
        r = self.random
        instants = [s.begins for s in self.world.statements] + [s.ends for s in self.world.statements if s.ends]
        found = []
        for _ in range(count):
            as_of = None if r.random() < 0.1 else r.choice(instants) if r.random() < 0.4 else self.day(-90, DAYS + 200)
            said_by = None if r.random() < 0.25 else self.day(0, DAYS + 90)
            known_at = None if r.random() < 0.25 else r.choice(self.commits)
            if known_at is not None and r.random() < 0.2:
                known_at -= timedelta(microseconds=1)
            found.append((r.choice(self.people), r.choice(tuple(PROPERTIES)), as_of, said_by, known_at))
        return found


@pytest.fixture(scope="module")
async def history(graph: Graph) -> History:
    """The history, written once."""
    written = History(graph, f"test-history-{digest('now', datetime.now().isoformat())[:8]}", seed=7)
    await written.write()
    return written


async def test_history_has_everything_that_makes_a_history_hard(history: History) -> None:
    assert len(history.world.statements) == FACTS
    assert len(set(history.commits)) == COMMITS
    assert min(history.kinds.values()) >= 20, history.kinds
    depths = [s for s in history.world.statements if s.how]
    about = {s.id: s.about for s in depths}
    assert any(any(t2 in about for t2 in about.get(t, ())) for s in depths for t in s.about), (
        "no correction of a correction's correction"
    )


async def test_queries_agree_with_the_model_at_every_point(history: History, graph: Graph) -> None:
    points = history.points(POINTS)
    differing = []
    limit = asyncio.Semaphore(6)
    seen: Counter[str] = Counter()

    async def check(number: int) -> None:
        subject, name, as_of, said_by, known_at = points[number]
        async with limit:
            result = await read.facts(
                graph, history.scribe.namespace, [subject], [name], as_of=as_of, said_by=said_by, known_at=known_at
            )
        seen["nothing"] += not result.facts
        seen["conflicts"] += any(fact.conflicts for fact in result.facts)
        seen["not known before"] += bool(result.not_known_before)
        seen["several statements"] += any(len(period.members) > 1 for period in result.periods)
        view = history.world.see(said_by, known_at)
        said, expected = answer(result, as_of), model_answer(view, subject, name, as_of, thorough=number % 10 == 0)
        if any(expected[part] != said[part] for part in expected):
            differing.append((points[number], said, expected))

    await asyncio.gather(*(check(number) for number in range(len(points))))
    assert not differing, f"{len(differing)} of {len(points)} differ, such as {differing[0]}"
    assert min(seen.values()) >= 100, seen
    assert seen["nothing"] < POINTS * 0.6, seen


async def test_all_periods_agree_with_the_model(history: History, graph: Graph) -> None:
    for known_at in (None, history.commits[11]):
        view = history.world.see(None, known_at)
        found = await read.periods(graph, history.scribe.namespace, known_at=known_at)
        said = {(p.subject_id, p.fact.property, p.value_key, p.fact.valid.end, frozenset(p.members)) for p in found}
        expected = {
            (subject, name, held.value, held.end, held.members)
            for subject in {view.one(person) for person in history.people}
            for name in PROPERTIES
            for held in view.periods(subject, name)
        }
        assert said == expected
        assert len(said) > 200


def answer(result: read.FactsResult, as_of: datetime | None) -> dict[str, object]:
    """What the product says, in terms that can be compared."""
    if as_of is None:
        return {"latest": {(p.value_key, p.fact.valid.start, p.fact.valid.end) for p in result.periods}}
    return {
        "held": {
            (
                p.value_key,
                p.fact.valid.start,
                p.fact.valid.end,
                p.fact.valid.start_stated,
                frozenset(p.members),
                frozenset(c.id for c in p.fact.conflicts),
            )
            for p in result.periods
        },
        "before": sorted(n.since for n in result.not_known_before),
    }


def model_answer(view: View, subject: str, name: str, as_of: datetime | None, thorough: bool) -> dict[str, object]:
    """The same from the model; what lies before anything known takes long to find, and is looked for now and then."""
    if as_of is None:
        return {"latest": {(h.value, shown(h.start, h.end), h.end) for h in view.latest(subject, name)}}
    held = {
        (h.value, shown(h.start, h.end), h.end, h.start_stated, h.members, h.losers)
        for h in view.held(subject, name, as_of)
    }
    return {"held": held} | ({"before": view.not_known_before(subject, name, as_of)} if thorough else {})


def shown(start: datetime, end: datetime | None) -> datetime | None:
    """A start as records show it: None where only the end is known."""
    return None if end is not None and end - start <= timedelta(microseconds=1) else start
