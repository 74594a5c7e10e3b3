"""Entity resolution without a model: exact alias, then vector candidates above a threshold, else a new entity; each with its reason.

The mentions of a window are grouped first, so that one thing is decided once. A group is settled, in this order, by
1. the speaker's id, then the speaker's name;
2. an exact alias of exactly one entity of a compatible type;
3. an exact alias of several: the one last spoken of, with low confidence, since a rule cannot tell them apart;
4. a person's name that extends, or is extended by, that of exactly one known person ("Ana", "Ana Silva");
   or what the mention is described as ("Ana's sister"), if exactly one entity is known by descriptions only;
5. the nearest vector candidate of the same type above the threshold;
6. a new entity.
A veto keeps a candidate out: other digits in the name (SR-2023-052, SR-2023-053), another speaker id, a relation that cannot be the same
person's (a brother, a colleague), or for persons a name that shares no word.

Source: the candidate-and-decide scheme of APEX-MEM (ACL 2026), section on entity resolution, with rules where it asks a model.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphmem.ids import normalise_name
from graphmem.records import Decision, Mention

PERSON = "Person"
DESCRIBED_AS = "described_as"
"""The attribute of a mention that holds a description, which is a name of its own kind."""

LIVING = frozenset({PERSON, "Animal"})
"""Types that readers confuse with one another, since people and pets bear the same names, but with nothing else."""

_FAMILY = frozenset(
    "mother father mom mum dad parent sister brother sibling son daughter child kid wife husband spouse partner fiancé fiancée "
    "girlfriend boyfriend grandmother grandfather grandma grandpa aunt uncle cousin niece nephew".split()
)
_ACQUAINTANCE = frozenset(
    "colleague coworker boss manager neighbour neighbor dentist doctor teacher landlord client".split()
)


@dataclass(frozen=True, slots=True)
class Group:
    """Mentions of a window that stand for one thing. ``name`` and ``type`` are those of the first."""

    name: str
    type: str
    speaker: str | None
    speaker_id: str | None
    mentions: tuple[Mention, ...]

    @property
    def key(self) -> tuple[str, str, str]:
        """What its mentions share."""
        return group_key(self.mentions[0])

    @property
    def attributes(self) -> tuple[tuple[str, str], ...]:
        """What the mentions say of it, without repetitions."""
        return tuple(dict.fromkeys(pair for mention in self.mentions for pair in mention.attributes))


@dataclass(frozen=True, slots=True)
class Known:
    """An entity in the graph. ``last_spoken`` sorts by when it was last spoken of; later is greater. ``together`` is the same for entities
    that were decided to be one, '' where nothing was looked up."""

    id: str
    name: str
    type: str
    aliases: tuple[str, ...]
    external_id: str | None = None
    attributes: tuple[tuple[str, str], ...] = ()
    last_spoken: str = ""
    together: str = ""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity that a vector search offers, the alias that was near, and the cosine mapped to [0, 1]."""

    known: Known
    alias: str
    score: float


@dataclass(frozen=True, slots=True)
class Resolved:
    """A decision. ``entity`` is the chosen one's identifier, None for a new one; ``apart`` is not empty where a namesake is another."""

    group: Group
    decision: Decision
    entity: str | None
    confidence: float
    reason: str
    candidates: tuple[tuple[str, float], ...] = ()
    apart: str = ""


def group_key(mention: Mention) -> tuple[str, str, str]:
    """What mentions of one thing share within a window: the speaker, or the name and whether it is somebody or something."""
    if mention.speaker is not None:
        return ("speaker", normalise_name(mention.speaker), "")
    return ("name", normalise_name(mention.name), "living" if mention.type in LIVING else "")


def group_mentions(mentions: Sequence[Mention], speaker_ids: Mapping[str, str | None]) -> tuple[Group, ...]:
    """Groups the mentions of a window, in order of first appearance. Mentions without a name are left out."""
    gathered: dict[tuple[str, str, str], list[Mention]] = {}
    for mention in mentions:
        if mention.speaker is not None or normalise_name(mention.name):
            gathered.setdefault(group_key(mention), []).append(mention)
    return tuple(
        Group(
            name=first.speaker or first.name,
            type=first.type,
            speaker=first.speaker,
            speaker_id=None if first.speaker is None else speaker_ids.get(first.speaker),
            mentions=tuple(same),
        )
        for same in gathered.values()
        for first in same[:1]
    )


def names_to_look_up(group: Group) -> tuple[str, ...]:
    """The normalised names to ask the graph for: its own, for a person of several names the first of them, and what it is described as."""
    name = normalise_name(group.name)
    words = name.split()
    first = words[:1] if group.type == PERSON and len(words) > 1 else []
    return tuple(dict.fromkeys([name, *first, *map(normalise_name, descriptions(group))]))


def descriptions(group: Group) -> tuple[str, ...]:
    """What the mentions describe it as ("Ana's sister"): other names of the same thing."""
    return tuple(value for name, value in group.attributes if name == DESCRIBED_AS)


def decide(
    group: Group, exact: Mapping[str, Sequence[Known]], candidates: Sequence[Candidate], threshold: float
) -> Resolved:
    """Settles one group. ``exact`` maps each name of ``names_to_look_up`` to its entities; ``candidates`` come best first.

    ``threshold`` is the score in [0, 1] from which a candidate counts as the same.
    """
    name = normalise_name(group.name)
    scored = tuple((candidate.known.id, round(candidate.score, 4)) for candidate in candidates)
    named, vetoes = _admissible(
        group, [known for known in exact.get(name, ()) if compatible(group.type, known.type)], group.name
    )
    if group.speaker is not None and group.speaker_id is not None:
        for known in named:
            if known.external_id == group.speaker_id:
                return Resolved(group, "choose_existing", known.id, 1.0, f"speaker id {group.speaker_id}", scored)
    named = one_of_each(named)
    if len(named) == 1:
        reason = f"exact alias of {named[0].name}, of one entity only"
        return Resolved(group, "choose_existing", named[0].id, 0.95, reason, scored)
    if named:
        latest = max(named, key=lambda known: (known.last_spoken, known.id))
        reason = f"exact alias of {len(named)} entities; the one last spoken of"
        return Resolved(group, "choose_existing", latest.id, 0.5, reason, scored)
    described = _described(group, exact)
    if described is not None:
        return Resolved(
            group, "choose_existing", described.id, 0.85, f"known until now only as {described.name}", scored
        )
    if group.type == PERSON and group.speaker is None:
        extended = _extension(group, exact)
        if extended is not None:
            return Resolved(
                group,
                "choose_existing",
                extended.id,
                0.8,
                f"the only known person of whom the name is part: {extended.name}",
                scored,
            )
    for candidate in candidates:
        if candidate.score < threshold or candidate.known.type != group.type:
            continue
        veto = veto_reason(group, candidate.known, candidate.alias)
        if veto is None:
            reason = f"nearest alias {candidate.alias!r} at {candidate.score:.3f}, threshold {threshold:.2f}"
            return Resolved(group, "choose_existing", candidate.known.id, round(candidate.score, 4), reason, scored)
        vetoes.append(f"{candidate.known.name}: {veto}")
    reason = (
        "no alias and no candidate near enough" if not vetoes else "kept apart from " + "; ".join(dict.fromkeys(vetoes))
    )
    apart = apart_from_namesakes(group) if exact.get(name) and vetoes else ""
    return Resolved(group, "propose_new", None, 0.8, reason, scored, apart)


def one_of_each(known: Sequence[Known]) -> list[Known]:
    """Of entities that were decided to be one, the one last spoken of. After the vetoes, which hold for each of them by itself."""
    found: dict[str, Known] = {}
    for each in sorted(known, key=lambda one: (one.last_spoken, one.id), reverse=True):
        found.setdefault(each.together or each.id, each)
    return list(found.values())


def compatible(one: str, other: str) -> bool:
    """Whether a name of these two types can be one thing: somebody is never something; readers confuse the other types too often."""
    return one == other or (one in LIVING) == (other in LIVING)


def veto_reason(group: Group, known: Known, alias: str) -> str | None:
    """Why these cannot be the same, or None."""
    if digits_of(group.name) != digits_of(alias):
        return f"different digits in {group.name!r} and {alias!r}"
    if group.speaker_id is not None and known.external_id is not None and group.speaker_id != known.external_id:
        return f"different speaker ids {group.speaker_id!r} and {known.external_id!r}"
    mine, theirs = dict(group.attributes), dict(known.attributes)
    for name in sorted(mine.keys() & theirs.keys() - {DESCRIBED_AS}):
        if name == "relation" and not relations_agree(mine[name], theirs[name]):
            return f"{mine[name]}, and the other is {theirs[name]}"
    if group.type == PERSON == known.type and not set(normalise_name(group.name).split()) & set(
        normalise_name(alias).split()
    ):
        return f"no name in common with {alias!r}"
    return None


def _admissible(group: Group, known: Sequence[Known], alias: str) -> tuple[list[Known], list[str]]:
    kept, vetoes = [], []
    for each in known:
        veto = veto_reason(group, each, alias)
        if veto is None:
            kept.append(each)
        else:
            vetoes.append(f"{each.name}: {veto}")
    return kept, vetoes


def _extension(group: Group, exact: Mapping[str, Sequence[Known]]) -> Known | None:
    words = normalise_name(group.name).split()
    if len(words) < 2:
        return None
    short = [
        known
        for known in exact.get(words[0], ())
        if known.type == PERSON
        and veto_reason(group, known, group.name) is None
        and all(set(words) >= set(normalise_name(alias).split()) for alias in known.aliases)
    ]
    short = one_of_each(short)
    return short[0] if len(short) == 1 else None


def _described(group: Group, exact: Mapping[str, Sequence[Known]]) -> Known | None:
    """The one entity that bears the group's description and no proper name yet."""
    found = {
        known.id: known
        for description in descriptions(group)
        for known in exact.get(normalise_name(description), ())
        if compatible(group.type, known.type) and all(_is_description(alias) for alias in known.aliases)
    }
    one = one_of_each(list(found.values()))
    return one[0] if len(one) == 1 else None


def _is_description(alias: str) -> bool:
    return "'s " in alias.replace("\u2019", "'")


def digits_of(name: str) -> list[str]:
    """The numbers in a name, which tell codes and versions apart."""
    return re.findall(r"\d+", name)


def relations_agree(one: str, other: str) -> bool:
    """Whether one person can be both: not a brother and a colleague, nor a sister and a mother."""
    kinds = [_kind(one), _kind(other)]
    if None in kinds:
        return True
    if kinds[0] == kinds[1] == "family":
        return normalise_name(one) == normalise_name(other)
    return kinds[0] == kinds[1]


def _kind(relation: str) -> str | None:
    words = set(normalise_name(relation).replace("'s", " ").split())
    if words & _FAMILY:
        return "family"
    return "acquaintance" if words & _ACQUAINTANCE else None


def apart_from_namesakes(group: Group) -> str:
    """What sets a new entity off from one of its name: the speaker's id, the relation that it is named by, or where it is first named."""
    if group.speaker_id is not None:
        return f"speaker {group.speaker_id}"
    relation = dict(group.attributes).get("relation")
    return relation or f"{group.mentions[0].quote.turn_id}:{group.mentions[0].quote.start}"
