"""What is told of a thing once counts where the thing is spoken of again, unless another is named then; and "we" is the speaker's firm."""

from __future__ import annotations

from datetime import datetime, timedelta

from graphmem.answer.linking import with_links
from graphmem.answer.match import about, covers
from graphmem.answer.plan import Name, plan
from graphmem.answer.reading import statements_of
from graphmem.answer.statements import Statement
from graphmem.answer.words import stem
from graphmem.records import Hit

NAMES = (
    *(Name(name, name, "Person") for name in ("Mira", "Otto", "Jutta", "Pavo")),
    *(Name(name, name, "Place") for name in ("Lake Velm", "Drina")),
    *(Name(name, name, "Organization") for name in ("Corrin Mill", "Pell Dairy")),
)
START = datetime.fromisoformat("2024-03-04T12:00:00+01:00")
ASKED_AT = START + timedelta(days=400)

Turn = tuple[str, str]


def linked(question: str, *turns: Turn) -> tuple[Statement, ...]:
    """The statements of turns that are said a week apart, each in a session of its own, as they are linked for a question."""
    hits = [
        Hit(f"t{n}", f"k{n}:1", f"k{n}", speaker, START + timedelta(days=7 * n), text, 1.0)
        for n, (speaker, text) in enumerate(turns)
    ]
    made = plan(question, ASKED_AT, [name for name in NAMES if name.text in question], None)
    return with_links(made, statements_of(hits))


def last_covers(question: str, name: str, *turns: Turn) -> float:
    """How surely the last of the turns has a name of the question."""
    named = [name for name in NAMES if name.text in question]
    [term] = [term for term in plan(question, ASKED_AT, named, None).terms if term.text == name]
    return covers(linked(question, *turns)[-1], term)


CANOEING = "When did Mira go canoeing on Lake Velm?"
BOOKED = ("Mira", "I booked canoeing on Lake Velm.")
FELL_IN = ("Mira", "We went canoeing in June and Otto fell in.")
RAINED = ("Mira", "It rained when we went canoeing in June.")


def test_a_place_told_of_a_thing_once_counts_where_the_thing_is_spoken_of_again() -> None:
    assert last_covers(CANOEING, "Lake Velm", BOOKED, FELL_IN) > 0.0
    assert last_covers(CANOEING, "Lake Velm", BOOKED, RAINED) > 0.0


def test_a_place_that_was_not_told_of_the_thing_does_not_count() -> None:
    assert last_covers(CANOEING, "Lake Velm", FELL_IN) == 0.0
    assert last_covers(CANOEING, "Lake Velm", ("Mira", "I booked a cabin on Lake Velm."), FELL_IN) == 0.0


def test_a_place_counts_only_where_the_thing_itself_is_spoken_of() -> None:
    assert last_covers(CANOEING, "Lake Velm", BOOKED, ("Mira", "I had a haircut in June.")) == 0.0


def test_where_another_place_is_named_the_thing_was_there() -> None:
    assert last_covers(CANOEING, "Lake Velm", BOOKED, ("Mira", "We went canoeing on Lake Brell in July.")) == 0.0


def test_a_person_is_never_linked() -> None:
    turns = (("Mira", "I booked canoeing with Otto."), RAINED)
    assert last_covers("When did Mira go canoeing with Otto?", "Otto", *turns) == 0.0


def test_whoever_speaks_is_a_person_and_never_linked() -> None:
    turns = (("Jutta", "Good morning."), ("Mira", "I booked canoeing with Jutta."), RAINED)
    assert last_covers("When did Mira go canoeing with Jutta?", "Jutta", *turns) == 0.0


def test_what_is_done_links_nothing_and_what_it_is_done_to_does() -> None:
    question = "When did Mira paint the boat on Lake Velm?"
    told = ("Mira", "I want to paint my boat on Lake Velm.")
    assert last_covers(question, "Lake Velm", told, ("Mira", "I painted the kitchen in June.")) == 0.0
    assert last_covers(question, "Lake Velm", told, ("Mira", "The boat was sold in June.")) > 0.0


MILL, DAIRY = "How many pallets does Corrin Mill sell a week?", "How many pallets does Pell Dairy sell a week?"
AT_MILL, AT_DAIRY = ("Pavo", "I work at Corrin Mill."), ("Pavo", "I work at Pell Dairy now.")
SELLING = ("Pavo", "We sell 70 pallets a week.")


def is_of_firm(question: str, firm: str, *turns: Turn) -> bool:
    """Whether the last of the turns is about a firm."""
    return about(linked(question, *turns)[-1], [firm]) > 0.0


def test_we_is_the_firm_that_its_speaker_works_at() -> None:
    assert is_of_firm(MILL, "Corrin Mill", AT_MILL, SELLING)
    assert not is_of_firm(MILL, "Corrin Mill", AT_MILL, ("Pavo", "They sell 70 pallets a week."))


def test_we_is_no_firm_that_only_somebody_else_works_at() -> None:
    assert not is_of_firm(MILL, "Corrin Mill", AT_MILL, ("Mira", "We sell 9 pallets a week."))


def test_we_is_no_firm_before_its_speaker_has_told_of_one() -> None:
    first, *_ = linked(MILL, SELLING, AT_MILL)
    assert about(first, ["Corrin Mill"]) == 0.0


def test_after_a_new_job_was_told_we_is_the_new_firm_and_before_it_the_old_one() -> None:
    turns = (AT_MILL, SELLING, AT_DAIRY, ("Pavo", "We sell 20 pallets a week."))
    for question, firm, wanted in ((MILL, "Corrin Mill", [1]), (DAIRY, "Pell Dairy", [3])):
        found = linked(question, *turns)
        assert [n for n in (1, 3) if about(found[n], [firm]) > 0.0] == wanted


WHICH = "Which ticket did Pavo close?"
TICKET = ("Jutta", "Your ticket is KX-11.")


def is_ticket(*turns: Turn) -> bool:
    """Whether the last of the turns is linked to the tickets that the question asks for."""
    return stem("ticket") in linked(WHICH, *turns)[-1].linked


def test_codes_of_one_series_are_of_one_kind() -> None:
    assert is_ticket(TICKET, ("Pavo", "I closed KX-12."))


def test_a_code_of_another_series_and_no_code_at_all_are_of_no_kind() -> None:
    assert not is_ticket(TICKET, ("Pavo", "I closed ZB-4."))
    assert not is_ticket(TICKET, ("Pavo", "I closed the shop."))


def test_a_series_that_is_never_called_so_is_of_no_kind() -> None:
    assert not is_ticket(("Jutta", "Your parcel is KX-11."), ("Pavo", "I closed KX-12."))


RUN = ("Mira", "The cabin is ours from 12 to 19 July.")


def covers_holiday(question: str, turn: Turn) -> bool:
    """Whether a turn covers all that is asked about Mira's holiday."""
    [found] = linked(question, turn)
    return all(covers(found, term) > 0.0 for term in plan(question, ASKED_AT, NAMES[:1], None).terms)


def test_where_dates_are_asked_a_run_of_days_is_of_the_stay() -> None:
    assert covers_holiday("What are the dates of Mira's holiday?", RUN)


def test_one_day_alone_is_not_the_dates_of_a_stay() -> None:
    assert not covers_holiday("What are the dates of Mira's holiday?", ("Mira", "The cabin is cleaned on 12 July."))


def test_a_run_of_days_is_of_no_stay_where_dates_are_not_asked() -> None:
    assert not covers_holiday("When is Mira's holiday?", RUN)


COMPOUNDS = (
    ("When was the roadtrip?", "The road trip was lovely.", "roadtrip"),
    ("When was the road trip?", "The roadtrip was lovely.", "road"),
    ("When was the last checkup?", "The check-up was fine.", "checkup"),
)


def test_what_is_written_as_one_word_or_as_two_is_the_same() -> None:
    for question, said, word in COMPOUNDS:
        [statement] = linked(question, ("Mira", said))
        [term] = [term for term in plan(question, ASKED_AT, [], None).terms if term.text == word]
        assert covers(statement, term) > 0.5, question


def test_a_part_of_a_compound_alone_is_not_the_compound() -> None:
    [statement] = linked("When was the roadtrip?", ("Mira", "The trip was lovely."))
    [term] = plan("When was the roadtrip?", ASKED_AT, [], None).terms
    assert covers(statement, term) == 0.0
