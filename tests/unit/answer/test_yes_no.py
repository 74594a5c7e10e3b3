"""Yes and no are said only where one clause says all of it of the one asked about; the rest is quoted as what comes nearest."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from graphmem.answer.choice import Choice
from graphmem.answer.choose import choose
from graphmem.answer.from_facts import from_facts
from graphmem.answer.offers import offer_of
from graphmem.answer.plan import Name, Plan, plan
from graphmem.answer.quoting import NEAREST_NOTE
from graphmem.answer.reading import statements_of
from graphmem.graph.read import Period
from graphmem.records import Citation, FactView, Hit, Interval

NAMES = tuple(Name(name, name, "Person") for name in ("Ida", "Otto", "Runa", "Edda"))
START = datetime.fromisoformat("2023-05-10T12:00:00+02:00")
AT = START + timedelta(weeks=30)


def asking(question: str) -> Plan:
    return plan(question, AT, [name for name in NAMES if name.text in question])


def chosen(question: str, *said: tuple[str, str]) -> Choice | None:
    hits = [
        Hit(f"t{n}", f"k{n}:1", f"k{n}", speaker, START + timedelta(weeks=n), text, 1.0)
        for n, (speaker, text) in enumerate(said)
    ]
    return choose(asking(question), statements_of(hits), AT)


SAID = (
    ("Did Ida buy a boat?", "I bought a boat.", "Yes"),
    ("Did Ida buy a boat?", "I didn't buy a boat.", "No"),
    ("Will Ida buy a boat?", "I'm going to buy a boat next month.", "It is planned"),
    ("Is Ida allergic to nuts?", "I'm allergic to kiwi, not just to nuts.", "Yes"),
)


@pytest.mark.parametrize(("question", "said", "short"), SAID, ids=[said for _, said, _ in SAID])
def test_what_a_clause_says_in_so_many_words_is_yes_or_no(question: str, said: str, short: str) -> None:
    found = chosen(question, ("Ida", said))
    assert found is not None
    assert found.short == short


UNSAID = (
    ("Did Ida buy a boat?", "I nearly bought a boat."),
    ("Did Ida pay the rent?", "I forgot to pay the rent."),
    ("Did Ida finish the report?", "I failed to finish the report."),
    ("Did Ida take the job at the mill?", "The mill offered me a job and I turned it down."),
    ("Did Ida break her right wrist?", "I broke my left wrist."),
    ("Did Ida break her hip?", "My grandmother fell and broke her hip."),
    ("Has Ida never been to Lund?", "I stayed in Lund for a night."),
    ("Does Ida own the van?", "I sold the van in May."),
    ("Is Ida a baker?", "My sister Runa is a baker."),
)


@pytest.mark.parametrize(("question", "said"), UNSAID, ids=[said for _, said in UNSAID])
def test_what_undoes_misses_or_is_anothers_is_only_what_comes_nearest(question: str, said: str) -> None:
    found = chosen(question, ("Ida", said))
    assert found is None or (found.short is None and NEAREST_NOTE in found.notes)


def fact(subject: str, name: str, value: str) -> Period:
    cited = Citation(f"turn {value}", "k1", subject, START, f"{value}.", 0, 5)
    valid = Interval(START, None, "day", True, False)
    view = FactView(f"f {value}", subject, name, value, valid, START, START, "holds", 0.8, False, False, (cited,), ())
    return Period(view, subject, "many", value.casefold(), (view.id,), None, START)


SISTER = (fact("Ida", "has_sister", "Runa"),)
KIN = (
    ("Is Runa Ida's sister?", "Yes: Runa"),
    ("Is Edda Ida's sister?", "Not that was said; said was: Runa"),
    ("Does Ida have a sister?", "Yes: Runa"),
)


@pytest.mark.parametrize(("question", "short"), KIN, ids=[question for question, _ in KIN])
def test_a_fact_says_yes_of_whom_it_names_alone(question: str, short: str) -> None:
    found = from_facts(asking(question), SISTER, {}, AT, None)
    assert found is not None
    assert found.short == short


def test_a_diet_is_not_another_diet() -> None:
    diet = (fact("Ida", "diet", "vegetarian"),)
    vegan = from_facts(asking("Is Ida vegan?"), diet, {}, AT, None)
    assert vegan is not None
    assert vegan.short == "Not that was said; said was: vegetarian"
    yes = from_facts(asking("Is Ida vegetarian?"), diet, {}, AT, None)
    assert yes is not None
    assert yes.short == "Yes: vegetarian"


def test_who_is_getting_married_elsewhere_is_nobodys_husband() -> None:
    found = chosen("Who is Ida married to?", ("Ida", "Runa has news too: she's getting married in May."))
    assert found is None or NEAREST_NOTE in found.notes


def test_a_number_of_something_else_counts_nothing() -> None:
    said = ("Ida", "I signed the lease on Tuesday, for two rooms.")
    assert chosen("How many children does Ida have?", said) is None
    found = chosen("How many children does Ida have?", ("Ida", "I have two children."))
    assert found is not None
    assert found.short == "two"


def test_where_somebody_is_from_stands_after_from() -> None:
    [came] = statements_of([Hit("t", "k1:1", "k1", "Ida", START, "Otto is from Malmö.", 1.0)])
    [went] = statements_of([Hit("t", "k1:1", "k1", "Ida", START, "Otto took me to a gym in Lund.", 1.0)])
    question = asking("Where is Otto from?")
    offer = offer_of(came, question)
    assert offer is not None
    assert "Malmö" in offer.text
    assert offer_of(went, question) is None
