"""The turns at hand in their order: who speaks before and after whom, and whom a turn is addressed to. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from graphmem.ids import normalise_name
from graphmem.records import Hit

FAR = 5
"""So many turns before one may tell what it is about."""


@dataclass(slots=True)
class Conversation:
    """The turns at hand in their places. ``places`` has, by turn, where it stands in its session; turns without one have no neighbours."""

    hits: Sequence[Hit]
    places: Mapping[str, tuple[str, int]]
    by_place: dict[tuple[str, int], Hit] = field(default_factory=dict)
    speakers: dict[str, set[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for hit in self.hits:
            self.speakers.setdefault(hit.session_id, set()).add(hit.speaker)
            if hit.id in self.places:
                self.by_place[self.places[hit.id]] = hit

    def addressee(self, hit: Hit) -> str | None:
        """Who is addressed: as the transcript says, by name, the only other speaker at hand, or whoever spoke before."""
        if hit.addressee is not None:
            return hit.addressee
        others = sorted(self.speakers[hit.session_id] - {hit.speaker})
        for name in others:
            if re.search(rf"(?:^|[,.!?]\s*){re.escape(name)}\s*[,!?.]|,\s*{re.escape(name)}\s*(?:[,.!?]|$)", hit.text):
                return name
        if len(others) == 1:
            return others[0]
        earlier = self.before(hit)
        return None if earlier is None or earlier.speaker == hit.speaker else earlier.speaker

    def present(self, hit: Hit) -> frozenset[str]:
        """The normalised names of all who speak in the turn's session."""
        return frozenset(normalise_name(name) for name in self.speakers[hit.session_id])

    def before(self, hit: Hit) -> Hit | None:
        """The turn right before, where it is at hand."""
        return self._beside(hit, -1)

    def after(self, hit: Hit) -> Hit | None:
        """The turn right after, where it is at hand."""
        return self._beside(hit, 1)

    def beside(self, hit: Hit) -> list[Hit]:
        """The turns right before and after, where they are at hand."""
        return [other for step in (-1, 1) if (other := self._beside(hit, step)) is not None]

    def farther(self, hit: Hit) -> list[Hit]:
        """The turns a little before, where they are at hand."""
        return [other for step in range(-FAR, -1) if (other := self._beside(hit, step)) is not None]

    def _beside(self, hit: Hit, step: int) -> Hit | None:
        place = self.places.get(hit.id)
        return None if place is None else self.by_place.get((place[0], place[1] + step))
