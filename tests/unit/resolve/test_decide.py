"""Which entity a mention is decided to be, and what keeps two apart."""

from __future__ import annotations

from graphmem.ids import normalise_name
from graphmem.records import Mention, Quote
from graphmem.resolve import Candidate, Group, Known, decide, group_mentions, names_to_look_up


def mention(name: str, type_: str = "Person", speaker: str | None = None, **attributes: str) -> Mention:
    """A mention in some turn."""
    return Mention(name, type_, Quote("t1", 0, len(name), name), speaker, tuple(attributes.items()))


def group(
    name: str, type_: str = "Person", speaker: str | None = None, speaker_id: str | None = None, **attributes: str
) -> Group:
    """A group of one mention."""
    [found] = group_mentions(
        [mention(name, type_, speaker, **attributes)], {} if speaker is None else {speaker: speaker_id}
    )
    return found


def known(
    identifier: str,
    name: str,
    type_: str = "Person",
    *aliases: str,
    external_id: str | None = None,
    last: str = "",
    **attributes: str,
) -> Known:
    """An entity of the graph."""
    return Known(identifier, name, type_, (name, *aliases), external_id, tuple(attributes.items()), last)


def exact(*entities: Known) -> dict[str, list[Known]]:
    """The entities by their normalised names, as the graph gives them."""
    found: dict[str, list[Known]] = {}
    for entity in entities:
        for alias in dict.fromkeys(entity.aliases):
            found.setdefault(normalise_name(alias), []).append(entity)
    return found


def near(entity: Known, score: float, alias: str | None = None) -> Candidate:
    """A vector candidate."""
    return Candidate(entity, alias or entity.name, score)


def test_an_exact_alias_of_one_entity_settles_it_whatever_the_case() -> None:
    resolved = decide(group("ana's"), exact(known("e1", "Ana")), [], 0.9)
    assert (resolved.decision, resolved.entity) == ("choose_existing", "e1")


def test_a_name_that_nobody_bears_becomes_a_new_entity() -> None:
    resolved = decide(group("Zoe"), {}, [near(known("e1", "Chloe"), 0.7)], 0.9)
    assert (resolved.decision, resolved.entity) == ("propose_new", None)
    assert resolved.candidates == (("e1", 0.7),)


def test_a_near_candidate_of_the_same_type_is_chosen() -> None:
    resolved = decide(group("pottery classes", "Topic"), {}, [near(known("e1", "pottery class", "Topic"), 0.97)], 0.9)
    assert (resolved.decision, resolved.entity) == ("choose_existing", "e1")
    assert "0.970" in resolved.reason


def test_a_near_candidate_of_another_type_is_not() -> None:
    assert (
        decide(group("Mercury", "Product"), {}, [near(known("e1", "mercury", "Place"), 0.99)], 0.9).decision
        == "propose_new"
    )


def test_codes_with_different_digits_stay_apart_however_near() -> None:
    resolved = decide(group("SR-2023-053", "Document"), {}, [near(known("e1", "SR-2023-052", "Document"), 0.99)], 0.9)
    assert resolved.decision == "propose_new"
    assert "different digits" in resolved.reason


def test_speakers_of_one_name_and_different_ids_stay_apart() -> None:
    alex = known("e1", "Alex", external_id="u1")
    resolved = decide(group("Alex", speaker="Alex", speaker_id="u2"), exact(alex), [], 0.9)
    assert resolved.decision == "propose_new"
    assert resolved.apart == "speaker u2"


def test_a_speaker_is_found_by_id_among_namesakes() -> None:
    resolved = decide(
        group("Alex", speaker="Alex", speaker_id="u2"),
        exact(known("e1", "Alex", external_id="u1"), known("e2", "Alex", external_id="u2")),
        [],
        0.9,
    )
    assert (resolved.entity, resolved.confidence) == ("e2", 1.0)


def test_a_brother_and_a_colleague_of_one_name_are_two_people() -> None:
    brother = known("e1", "Alex", relation="brother of Ana")
    resolved = decide(group("Alex", relation="colleague of Ana"), exact(brother), [], 0.9)
    assert resolved.decision == "propose_new"
    assert resolved.apart == "colleague of Ana"
    again = decide(group("Alex", relation="brother of Ana"), exact(brother), [], 0.9)
    assert again.entity == "e1"


def test_among_namesakes_the_one_last_spoken_of_is_taken_with_little_confidence() -> None:
    entities = exact(known("e1", "Alex", last="2023-01-01"), known("e2", "Alex", last="2024-01-01"))
    resolved = decide(group("Alex"), entities, [], 0.9)
    assert (resolved.entity, resolved.confidence) == ("e2", 0.5)


def test_a_full_name_is_the_known_person_of_that_first_name() -> None:
    full = group("Ana Silva")
    assert names_to_look_up(full) == ("ana silva", "ana")
    assert decide(full, exact(known("e1", "Ana")), [], 0.9).entity == "e1"


def test_a_full_name_is_not_a_person_already_known_by_another_surname() -> None:
    assert (
        decide(group("Ana Silva"), exact(known("e1", "Ana", "Person", "Ana Costa")), [], 0.9).decision == "propose_new"
    )


def test_people_with_no_name_in_common_are_two_however_near() -> None:
    resolved = decide(group("Elisabeth"), {}, [near(known("e1", "Elizabeth"), 0.98)], 0.9)
    assert resolved.decision == "propose_new"
    assert "no name in common" in resolved.reason


def test_a_person_is_never_a_place() -> None:
    assert decide(group("Jordan"), exact(known("e1", "Jordan", "Place")), [], 0.9).decision == "propose_new"


def test_other_types_of_one_name_are_one_thing_since_readers_confuse_them() -> None:
    assert decide(group("Novacorp", "Product"), exact(known("e1", "Novacorp", "Organization")), [], 0.9).entity == "e1"


def test_mentions_of_one_thing_within_a_window_are_decided_once() -> None:
    groups = group_mentions(
        [
            mention("I", speaker="Ana"),
            mention("Porto", "Place"),
            mention("porto", "City"),
            mention("you", speaker="Ana"),
            mention(""),
        ],
        {"Ana": None},
    )
    assert [(each.name, len(each.mentions)) for each in groups] == [("Ana", 2), ("Porto", 2)]


def test_somebody_known_only_by_a_description_gets_a_name() -> None:
    sister = known("e1", "Ana's sister")
    resolved = decide(group("Clara", described_as="Ana's sister"), exact(sister), [], 0.9)
    assert resolved.entity == "e1"


def test_a_second_sister_is_not_the_first() -> None:
    clara = known("e1", "Clara", "Person", "Ana's sister")
    resolved = decide(group("Nina", described_as="Ana's sister"), exact(clara), [], 0.9)
    assert resolved.decision == "propose_new"


def test_a_pet_that_a_reader_took_for_a_person_is_still_the_pet() -> None:
    assert decide(group("Rex", "Person"), exact(known("e1", "Rex", "Animal")), [], 0.9).entity == "e1"
