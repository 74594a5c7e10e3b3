"""Ranking of a small pool: what each stage adds, and to which turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from graphmem.errors import ConfigurationError
from graphmem.search.pool import Pool, pool_of
from graphmem.search.question import read
from graphmem.search.ranking import Counts, rank
from graphmem.search.settings import SearchSettings

START = datetime(2023, 5, 10, tzinfo=UTC)
COUNTS = Counts(100, {"boat": 2, "porto": 5})


def row(position: int, text: str, **given: Any) -> dict[str, Any]:
    """A row of the pool's query: a turn of Ana's in session s, near to the question in no way."""
    usual = {
        "id": f"t{position}", "session_id": "s", "position": position, "speaker": "Ana", "role": None, "text": text,
        "searchable": f"Ana: {text}", "said_at": START, "meaning": 0.5, "timed": False, "happened": False, "allowed": True,
    }  # fmt: skip
    return {**usual, **given}


def ranked(
    rows: Sequence[dict[str, Any]], question: str, *, events: dict[str, float] | None = None, linked: Sequence[str] = (),
    speakers: dict[str, tuple[str, ...]] | None = None, counts: Counts = COUNTS, **settings: Any,
) -> dict[str, dict[str, float]]:  # fmt: skip
    """The parts of each turn's score, with the score itself under "score", by the turn's identifier."""
    pool: Pool = pool_of(rows, events or {}, linked)
    made = rank(pool, read(question, speakers or {}), counts, SearchSettings(**settings))
    return {
        each: {
            "score": float(made.scores[place]),
            **{name: float(scores[place]) for name, scores in made.parts.items()},
        }
        for place, each in enumerate(pool.ids)
    }


def test_parts_add_up_to_the_score() -> None:
    found = ranked([row(0, "my boat"), row(1, "Porto?", meaning=0.9)], "Which boat?", linked=["t1"])
    for parts in found.values():
        score = parts.pop("score")
        assert sum(parts.values()) == pytest.approx(score)


def test_words_and_meaning_share_the_weight() -> None:
    found = ranked([row(0, "my boat"), row(5, "nothing", meaning=0.9)], "boat", text_weight=0.25)
    assert found["t0"]["words"] == 0.25
    assert found["t5"]["meaning"] == 0.75


def test_a_turn_beside_one_that_holds_the_words_gains_and_one_further_off_does_not() -> None:
    found = ranked([row(0, "my boat"), row(1, "it is old"), row(3, "it is old")], "boat")
    assert found["t0"]["words"] > found["t1"]["words"] > found["t3"]["words"] == 0


def test_a_turn_of_another_session_is_no_neighbour() -> None:
    found = ranked([row(0, "my boat"), row(1, "it is old", session_id="other")], "boat")
    assert found["t1"]["words"] == 0


def test_rare_words_weigh_more_than_common_ones() -> None:
    counts = Counts(100, {"boat": 2, "porto": 60})
    found = ranked([row(0, "a boat"), row(5, "in Porto"), row(9, "nothing")], "boat Porto", counts=counts)
    assert found["t0"]["words"] > found["t5"]["words"] > found["t9"]["words"]


def test_other_forms_of_a_word_count_as_the_word() -> None:
    found = ranked([row(0, "two boats"), row(5, "nothing")], "boat")
    assert found["t0"]["words"] > found["t5"]["words"]


def test_the_name_of_a_speaker_is_no_word_to_look_for() -> None:
    found = ranked([row(0, "the boat"), row(5, "Ana Ana Ana")], "Which boat has Ana?", speakers={"ana": ("Ana",)})
    assert found["t0"]["words"] > found["t5"]["words"]


def test_a_session_with_good_turns_lifts_its_others() -> None:
    rows = [row(0, "my boat"), row(3, "nothing"), row(0, "nothing", id="u0", session_id="other")]
    found = ranked(rows, "boat")
    assert found["t3"]["session"] > found["u0"]["session"]


def test_the_named_speaker_gains_and_nobody_is_left_out() -> None:
    rows = [row(0, "a boat"), row(5, "a boat", speaker="Tom")]
    found = ranked(rows, "Which boat has Tom?", speakers={"tom": ("Tom",)}, speaker_weight=0.3)
    assert found["t5"]["speaker"] == 0.3
    assert found["t0"]["speaker"] == 0
    assert set(found) == {"t0", "t5"}


def test_a_person_of_two_names_gains_under_both() -> None:
    rows = [row(0, "a boat"), row(5, "a boat", speaker="Tom"), row(9, "a boat", speaker="Thomas")]
    found = ranked(rows, "Which boat has Tom?", speakers={"tom": ("Thomas", "Tom")}, speaker_weight=0.3)
    assert {name: parts["speaker"] for name, parts in found.items()} == {"t0": 0, "t5": 0.3, "t9": 0.3}


def test_of_two_named_speakers_neither_gains() -> None:
    rows = [row(0, "a boat"), row(5, "a boat", speaker="Tom")]
    found = ranked(rows, "Did Ana tell Tom?", speakers={"tom": ("Tom",), "ana": ("Ana",)})
    assert {parts["speaker"] for parts in found.values()} == {0}


@pytest.mark.parametrize(
    ("question", "gains"), [("Which boat did I buy?", "t0"), ("Which boat did you recommend?", "t5")]
)
def test_me_is_the_user_and_you_the_assistant(question: str, gains: str) -> None:
    found = ranked([row(0, "a boat", role="user"), row(5, "a boat", role="assistant")], question)
    assert [each for each, parts in found.items() if parts["speaker"] > 0] == [gains]


def test_what_asks_loses_by_how_much_of_it_asks() -> None:
    found = ranked([row(0, "a boat."), row(5, "a boat?"), row(9, "Fine, thanks. A boat?")], "boat", question_weight=0.3)
    assert found["t5"]["asking"] == pytest.approx(-0.3)
    assert found["t5"]["asking"] < found["t9"]["asking"] < found["t0"]["asking"] == 0


def test_a_turn_that_names_a_time_gains_more_when_a_time_is_asked_for() -> None:
    rows = [row(0, "the boat, last Friday"), row(5, "the boat"), row(9, "the boat", timed=True)]
    when, what = ranked(rows, "When was the boat sold?"), ranked(rows, "What of the boat?")
    assert when["t0"]["time"] == when["t9"]["time"] > what["t0"]["time"] > what["t5"]["time"] == 0


def test_turns_of_the_time_asked_about_gain_less_and_less_afterwards() -> None:
    rows = [
        row(place * 3, "the boat", said_at=START + timedelta(days=days)) for place, days in enumerate((-1, 0, 4, 40))
    ]
    found = ranked(rows, "What of the boat on 10 May 2023?", dated_weight=0.2)
    before, then, soon, late = (found[f"t{place * 3}"]["dated"] for place in range(4))
    assert then == 0.2 > soon > late == before == 0


def test_a_turn_that_tells_of_the_time_asked_about_gains_whenever_it_was_said() -> None:
    rows = [row(0, "the boat", said_at=START + timedelta(days=300), happened=True)]
    assert ranked(rows, "What of the boat on 10 May 2023?", dated_weight=0.2)["t0"]["dated"] == 0.2


def test_events_and_links_vouch_for_their_turns() -> None:
    rows = [row(0, "a"), row(3, "b"), row(6, "c")]
    found = ranked(rows, "boat", events={"t0": 0.9, "t3": 0.7}, linked=["t6"], event_weight=0.2, link_weight=0.1)
    assert [found[each]["event"] for each in ("t0", "t3", "t6")] == [0.2, 0, 0]
    assert [found[each]["link"] for each in ("t0", "t3", "t6")] == [0, 0, 0.1]


def test_an_empty_pool_ranks_nothing() -> None:
    assert ranked([], "boat") == {}


def test_long_texts_weigh_less_for_the_same_words() -> None:
    found = ranked([row(0, "a boat"), row(5, "a boat " + "and more " * 60), row(9, "nothing")], "boat")
    assert found["t0"]["words"] > found["t5"]["words"]


@pytest.mark.parametrize(
    "given",
    [{"text_weight": 1.5}, {"session_weight": -0.1}, {"fusion": "other"}, {"dense_candidates": 0}, {"session_best": 0}],
)
def test_settings_that_make_no_sense_are_refused_by_name(given: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(given))):
        SearchSettings(**given)
