"""Who somebody is, what is known of them and what they did in a time; what asks for nothing; all that was ever so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from graphmem.answer.biography import biography_asked, doings, introduced, portrait
from graphmem.answer.choose import choose
from graphmem.answer.from_facts import from_facts
from graphmem.answer.plan import Name, Plan, plan
from graphmem.answer.reading import statements_of
from graphmem.answer.statements import Statement
from graphmem.graph.read import EntityView, Period, TimelineEntry
from graphmem.records import Citation, EventView, FactView, Hit, Interval

NOW = datetime(2024, 6, 1, tzinfo=UTC)
NAMES = tuple(Name(name, name, "Person") for name in ("Noor", "Elias", "Runa"))
RUNA = EntityView("e1", "Runa", "Person", ("e1",), ("Runa", "Ru"), (), 3, 2, ())


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def period(subject: str, name: str, value: str, start: str, end: str | None = None, cardinality: str = "one") -> Period:
    said_at = day(start)
    words = f"{subject} {name} {value}"
    cited = Citation(f"turn {value}", "k1", subject, said_at, words, 0, len(words))
    valid = Interval(day(start), None if end is None else day(end), "day", True, end is not None)
    fact = FactView(
        f"fact {value}", subject, name, value, valid, said_at, said_at, "holds", 0.8, False, False, (cited,), ()
    )
    return Period(fact, subject, cardinality, value.casefold(), (fact.id,), None, said_at)


def event(
    verb: str, thing: str, at: str, told: str | None = "last week", kind: str = "event", sure: float = 0.8
) -> TimelineEntry:
    cited = Citation(f"turn {verb}", "k1", "Runa", day(at), f"I {verb} {thing}.", 0, 9)
    start = day(at)
    view = EventView(
        verb, kind, "Runa", verb, thing, f"Runa {verb} {thing}", start, None, "day", told, None, sure, (), (cited,)
    )
    return TimelineEntry(start, event=view)


def asking(question: str) -> Plan:
    return plan(question, NOW, [name for name in NAMES if name.text in question])


KINDS = (
    ("Who is Runa?", "who"),
    ("Who's Ru?", "who"),
    ("Tell me about Runa", "about"),
    ("What do you know about Runa?", "about"),
    ("What did Runa do in May 2024?", "doings"),
    ("What has Runa been up to in May 2024?", "doings"),
)


@pytest.mark.parametrize(("question", "kind"), KINDS, ids=[question for question, _ in KINDS])
def test_somebody_is_asked_about_as_a_whole(question: str, kind: str) -> None:
    assert biography_asked(asking(question), [RUNA]) == (kind, RUNA)


CERTAIN = (
    "Who is Runa's sister?",
    "Who is Elias?",
    "What did Runa do?",
    "What did Runa do for the fair in May 2024?",
    "Who knows about Runa?",
    "Where does Runa live?",
)


@pytest.mark.parametrize("question", CERTAIN)
def test_something_certain_or_somebody_unknown_is_not(question: str) -> None:
    assert biography_asked(asking(question), [RUNA]) is None


OWN = (
    period("Runa", "works_as", "baker", "2023-01-01"),
    period("Runa", "works_as", "clerk", "2020-01-01", "2023-01-01"),
    period("Runa", "likes", "rye", "2023-01-01", cardinality="many"),
)
RELATED = (
    period("Noor", "has_sister", "Ru", "2022-01-01", cardinality="many"),
    period("Noor", "has_sister", "Edda", "2022-01-01", cardinality="many"),
    period("Elias", "has_partner", "Runa", "2021-01-01", "2022-01-01"),
)


def test_who_somebody_is_are_relations_and_what_they_do_as_they_hold() -> None:
    found = portrait(asking("Who is Runa?"), "who", RUNA, OWN, RELATED, NOW)
    assert found is not None
    assert found.short == "Noor's sister; works as baker"
    assert [each.turn_id for each in found.citations] == ["turn Ru", "turn baker"]
    earlier = portrait(asking("Who is Runa?"), "who", RUNA, OWN, RELATED, day("2021-06-01"))
    assert earlier is not None
    assert earlier.short == "Elias's partner; works as clerk"


def test_what_is_known_of_somebody_is_more_than_who_they_are() -> None:
    found = portrait(asking("Tell me about Runa"), "about", RUNA, OWN, RELATED, NOW)
    assert found is not None
    assert found.short == "Noor's sister; works as baker; likes rye"


def test_of_whom_nothing_is_known_nothing_is_told() -> None:
    assert portrait(asking("Who is Runa?"), "who", RUNA, OWN[2:], (), NOW) is None


def test_what_was_done_in_a_time_are_its_events_in_order() -> None:
    entries = (
        event("sold", "a boat", "2024-05-20"),
        event("baked", "a cake", "2024-05-02"),
        event("rowed", "home", "2024-06-01"),
        event("will buy", "a van", "2024-05-03", kind="plan"),
        event("may have seen", "a seal", "2024-05-04", sure=0.6),
    )
    made = asking("What did Runa do in May 2024?")
    found = doings(made, RUNA, entries)
    assert found is not None
    assert found.short == "Runa baked a cake; Runa sold a boat"
    assert found.time == made.time
    assert doings(made, RUNA, entries[2:]) is None


SAYS_NOTHING = ("Hello!", "Good morning", "What is 2+2?", "Thanks!")


@pytest.mark.parametrize("question", SAYS_NOTHING)
def test_a_greeting_and_a_sum_ask_the_memory_nothing(question: str) -> None:
    said = "Good morning, hello and thanks! She has two teeth now."
    hit = Hit("t1", "k1:1", "k1", "Noor", day("2024-05-01"), said, 1.0)
    assert choose(asking(question), statements_of([hit]), NOW) is None
    assert choose(asking("How many teeth does she have?"), statements_of([hit]), NOW) is not None


HOMES = (
    period("Noor", "lives_in", "Utrecht", "2022-02-05", "2023-05-03"),
    period("Noor", "lives_in", "Lund", "2023-05-03"),
)
EVER = ("Which cities has Noor lived in?", "Where has Noor lived?")


@pytest.mark.parametrize("question", EVER)
def test_all_that_was_ever_so_is_told_in_order(question: str) -> None:
    found = from_facts(asking(question), HOMES, {}, NOW, None)
    assert found is not None
    assert found.short == "Utrecht (5 February 2022 to 2 May 2023), then Lund (since 3 May 2023)"
    now = from_facts(asking("Where does Noor live?"), HOMES, {}, NOW, None)
    assert now is not None
    assert now.short == "Lund"


def told(*said: tuple[str, str]) -> tuple[Statement, ...]:
    """Statements of turns a minute apart in one talk."""
    hits = [
        Hit(f"t{n}", f"k1:{n}", "k1", speaker, day("2024-05-01") + timedelta(minutes=n), text, 1.0)
        for n, (speaker, text) in enumerate(said)
    ]
    return statements_of(hits, {hit.id: ("k1", n) for n, hit in enumerate(hits)})


INTRODUCED = (
    (("Noor", "Runa is late again."), ("Noor", "My neighbour Runa plays the cello.")),
    (("Noor", "Runa is late again."), ("Noor", "I have a new neighbour. Her name's Runa.")),
    (("Noor", "I rang Runa."), ("Noor", "Runa, my neighbour, plays the cello.")),
)


@pytest.mark.parametrize("said", INTRODUCED, ids=[said[1][1] for said in INTRODUCED])
def test_whom_no_fact_describes_is_told_by_the_words_that_introduce_them(said: tuple[tuple[str, str], ...]) -> None:
    found = introduced(asking("Who is Runa?"), RUNA, told(*said))
    assert found is not None
    assert (found.short, found.citations[0].quote) == (None, said[1][1])


def test_whom_nobody_names_nobody_introduces() -> None:
    assert introduced(asking("Who is Runa?"), RUNA, told(("Noor", "It rained."), ("Runa", "I got wet."))) is None


WHY = "Why did Noor turn the job in Lund down?"
TURNED = ("Noor", "A firm in Lund offered me a job and I turned it down.")


def test_the_reason_is_what_was_replied_to_why() -> None:
    found = choose(asking(WHY), told(TURNED, ("Elias", "Lund! Why?"), ("Noor", "I wanted to be near Mum.")), NOW)
    assert found is not None
    assert [each.quote for each in found.citations[:2]] == ["I wanted to be near Mum.", TURNED[1]]


def test_what_gives_its_reason_itself_needs_no_reply() -> None:
    given = ("Noor", "I turned the job in Lund down because Mum is ill.")
    found = choose(asking(WHY), told(given, ("Elias", "Why?"), ("Noor", "I love rain.")), NOW)
    assert found is not None
    assert found.citations[0].quote == given[1]


def test_what_happened_to_something_is_the_last_that_happened_to_it() -> None:
    said = (("Noor", "I bought an orange bike."), ("Noor", "I sold the orange bike."), ("Noor", "The orange bike! Ha."))
    found = choose(asking("What happened to the orange bike?"), told(*said), NOW)
    assert found is not None
    assert found.citations[0].quote == "I sold the orange bike."


GONE = (
    ("I stayed in Lund for a night.", "Yes"),
    ("I didn't go to Lund because I fell ill.", "No"),
    ("I've booked flights to Lund.", None),
)


@pytest.mark.parametrize(("said", "short"), GONE, ids=[said for said, _ in GONE])
def test_who_booked_a_flight_has_not_gone_yet(said: str, short: str | None) -> None:
    found = choose(asking("Did Noor ever go to Lund?"), told(("Noor", said)), NOW)
    assert found is not None
    assert found.short == short
