"""Property names become canonical or are refused; values get their own type, in one unit, beside the words."""

from __future__ import annotations

from datetime import date, datetime

import pytest

from graphmem.extract import properties
from graphmem.extract.with_model.units import in_kept_unit
from graphmem.extract.with_model.values import property_name, read_number, recast, value_of
from tests.unit.extract_model.windows import converted, fact, turn_of, window_of

TURN = turn_of("My words.")


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("lives_in", "lives_in"),
        ("Favourite Colour", "favourite_colour"),
        ("favouriteColour", "favourite_colour"),
        ("best-friend's", "best_friends"),
        ("café", "cafe"),
        ("喜欢", None),
        ("喜欢 tea", None),
        ("", None),
        ("2nd_name", None),
        ("a`) DETACH DELETE n //", "a_detach_delete_n"),
        ("x" * 61, None),
    ],
)
def test_a_property_name_is_canonical_or_refused(given: str, name: str | None) -> None:
    assert property_name(given) == name


@pytest.mark.parametrize(
    ("name", "value", "declared", "unit", "typed", "kept"),
    [
        ("weight", "154 lb", "string", "lb", 69.853, "kg"),
        ("weight", "154 pounds", "float", "", 69.853, "kg"),
        ("height", "1.80 m", "float", "m", 180.0, "cm"),
        ("budget", "€1,200", "float", "", 1200.0, "EUR"),
        ("budget", "1.200,50 euros", "float", "euros", 1200.5, "EUR"),
        ("age", "thirty-one", "integer", "", None, None),
        ("age", "eleven", "integer", "", 11, None),
        ("age", "31", "integer", "", 31, None),
        ("run_distance", "5 miles", "float", "miles", 8046.72, "m"),
        ("pages_read", "120 pages", "integer", "pages", 120, "pages"),
        ("room_temperature", "68 °F", "float", "°F", 20.0, "degC"),
        ("smokes", "no", "string", "", False, None),
        ("is_member", "perhaps", "boolean", "", None, None),
        ("toppings", "olives, figs and ham", "list", "", ("olives", "figs", "ham"), None),
        ("lives_in", "Lisbon", "float", "", None, None),
    ],
)
def test_a_value_gets_its_type_and_its_unit(
    name: str, value: str, declared: str, unit: str, typed: object, kept: str | None
) -> None:
    read = value_of(name, value, declared, unit, TURN)
    assert read.unit == kept
    if isinstance(typed, float):
        assert isinstance(read.typed, float)
        assert read.typed == pytest.approx(typed, abs=1e-3)
    else:
        assert (read.typed, type(read.typed)) == (typed, type(typed))


@pytest.mark.parametrize(
    ("value", "day"), [("1990-03-02", date(1990, 3, 2)), ("2 March 1990", date(1990, 3, 2)), ("in spring", None)]
)
def test_a_date_is_read_as_written_or_by_the_table(value: str, day: date | None) -> None:
    typed = value_of("born_on", value, "date", "", TURN).typed
    assert (typed.date() if isinstance(typed, datetime) else typed) == day


def test_a_known_property_keeps_its_cardinality_and_an_unknown_one_has_many() -> None:
    assert value_of("lives_in", "Rome", "string", "", TURN).cardinality == "one"
    assert value_of("fencing_club", "Rome", "string", "", TURN).cardinality == "many"


@pytest.mark.parametrize("unit", ["furlongs per", "(((", "EUR", "pages", "kg; drop table", "9" * 400])
def test_a_unit_that_is_none_stays_as_it_is(unit: str) -> None:
    assert (in_kept_unit(3.0, unit, "weight").number, in_kept_unit(3.0, unit, "weight").unit) == (3.0, unit)


def test_a_unit_of_another_kind_than_the_propertys_is_not_forced() -> None:
    assert in_kept_unit(3.0, "km", "weight").unit == "km"


@pytest.mark.parametrize(
    ("text", "number"),
    [("1,200", 1200.0), ("1.200,50", 1200.5), ("31.5", 31.5), ("31,5", 31.5), ("1 200", 1200.0),
     ("1.234.567", 1234567.0), ("−3", -3.0), ("1.2.3", None)],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(text: str, number: float | None) -> None:
    assert read_number(text) == number


def test_a_fact_of_a_property_that_was_decided_to_be_another_is_renamed_and_retyped() -> None:
    [draft] = converted(
        window_of("I weigh 154 lb."), facts=[fact(quote="I weigh 154 lb", property="body_mass", value="154 lb")]
    ).facts
    assert (draft.value_type, draft.typed, draft.cardinality) == ("string", None, "many")
    recasted = recast(draft, properties()["weight"], TURN)
    assert (recasted.property, recasted.value_type, recasted.cardinality, recasted.value) == (
        "weight",
        "float",
        "one",
        "154 lb",
    )
    assert (recasted.typed, recasted.unit) == (pytest.approx(69.853, abs=1e-3), "kg")
