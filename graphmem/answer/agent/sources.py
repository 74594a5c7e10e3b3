"""What the tools have returned while one question is answered, by handle. Only what stands here can be cited.

A handle is a letter and a number (t: turn, q: quotation, f: fact, v: event, n: entity), given in the order of returning. It is short in a
prompt, it cannot be guessed from a transcript, and in a Cypher query ``$t3`` stands for the identifier of t3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from graphmem.graph.read_changes import Conflict
from graphmem.records import Citation, EventView, FactView, Hit

Kind = Literal["turn", "quotation", "fact", "event", "entity"]
_LETTERS: Mapping[Kind, str] = {"turn": "t", "quotation": "q", "fact": "f", "event": "v", "entity": "n"}
_NAMED = re.compile(r"\b[tqfvn][0-9]{1,4}\b")
_HANDLE = re.compile(r"\$([tqfvn][0-9]{1,4})\b")


@dataclass(frozen=True, slots=True)
class Source:
    """Something that a tool returned: its identifier in the graph, and the words and records that stand behind it.

    ``words`` are the citable quotations: of a turn its whole text, of a fact or an event all it rests on.
    """

    handle: str
    kind: Kind
    id: str
    words: tuple[Citation, ...] = ()
    fact: FactView | None = None
    event: EventView | None = None


class Sources:
    """The sources of one question. Grows only."""

    def __init__(self) -> None:
        self._by_handle: dict[str, Source] = {}
        self._by_id: dict[tuple[Kind, str], str] = {}
        self._conflicts: dict[tuple[str, str], Conflict] = {}

    def turn(self, hit: Hit) -> str:
        """The handle of a turn, with all its words."""
        whole = Citation(
            turn_id=hit.turn_id,
            session_id=hit.session_id,
            speaker=hit.speaker,
            said_at=hit.said_at,
            quote=hit.text,
            start=0,
            end=len(hit.text),
        )
        return self._add("turn", hit.id, (whole,))

    def quotation(self, citation: Citation) -> str:
        """The handle of a quotation."""
        where = f"{citation.session_id}/{citation.turn_id}/{citation.start}-{citation.end}"
        return self._add("quotation", citation.evidence_id or where, (citation,))

    def shown(self, kind: Kind, identifier: str | None) -> str | None:
        """The handle of what was returned before, None if it was not: its words stand above and need not be sent again."""
        return None if identifier is None else self._by_id.get((kind, identifier))

    def fact(self, fact: FactView) -> str:
        """The handle of a fact as it was shown."""
        return self._add("fact", fact.id, fact.evidence, fact=fact)

    def event(self, event: EventView) -> str:
        """The handle of an event."""
        return self._add("event", event.id, event.evidence, event=event)

    def stated(self, kind: Kind, identifier: str, words: tuple[Citation, ...]) -> str:
        """The handle of a fact or event of which only the words it rests on are known."""
        return self._add(kind, identifier, words)

    def entity(self, identifier: str) -> str:
        """The handle of an entity. It carries no words: it cannot be cited."""
        return self._add("entity", identifier, ())

    def conflict(self, conflict: Conflict) -> None:
        """Notes that two facts disagree."""
        self._conflicts.setdefault((conflict.preferred.id, conflict.other.id), conflict)

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """The disagreements that are known: of the names in the question, and those that a tool showed."""
        return tuple(self._conflicts.values())

    @property
    def all(self) -> tuple[Source, ...]:
        """Everything that was returned, in order."""
        return tuple(self._by_handle.values())

    def find(self, reference: str) -> Source | None:
        """The source of a handle, an identifier, or a turn's own name in its transcript where only one such turn was returned."""
        given = reference.strip().strip("$[]()\"'`")
        if given.lower() in self._by_handle:
            return self._by_handle[given.lower()]
        for (_, identifier), handle in self._by_id.items():
            if identifier == given:
                return self._by_handle[handle]
        named = [
            source for source in self.all if source.kind == "turn" and source.words and source.words[0].turn_id == given
        ]
        return named[0] if len(named) == 1 else None

    @property
    def size(self) -> int:
        """How many sources there are."""
        return len(self._by_handle)

    def keep_first(self, size: int) -> None:
        """Forgets those after the first ``size``: what did not fit into a reply was not returned."""
        for handle in list(self._by_handle)[size:]:
            source = self._by_handle.pop(handle)
            del self._by_id[(source.kind, source.id)]

    def keep_named(self, size: int, text: str) -> None:
        """Of those after the first ``size`` keeps those up to the last one that a text names: the rest was cut off."""
        named = set(_NAMED.findall(text))
        last = max((place for place, each in enumerate(self._by_handle) if each in named), default=-1)
        self.keep_first(max(size, last + 1))

    def parameters(self, query: str) -> dict[str, str]:
        """The identifiers for the handles that a Cypher query uses as parameters."""
        return {found: self._by_handle[found].id for found in _HANDLE.findall(query) if found in self._by_handle}

    def facts_of(self, citation: Citation) -> tuple[FactView, ...]:
        """The facts that were returned and rest on the words of a citation."""
        return tuple(
            source.fact
            for source in self.all
            if source.fact is not None and any(same_words(words, citation) for words in source.fact.evidence)
        )

    def latest(self) -> datetime | None:
        """When the last of the words that were returned were said."""
        return max((words.said_at for source in self.all for words in source.words), default=None)

    def _add(
        self,
        kind: Kind,
        identifier: str,
        words: tuple[Citation, ...],
        *,
        fact: FactView | None = None,
        event: EventView | None = None,
    ) -> str:
        known = self._by_id.get((kind, identifier))
        if known is not None:
            before = self._by_handle[known]
            if (fact is not None and before.fact is None) or (event is not None and before.event is None):
                self._by_handle[known] = Source(known, kind, identifier, words, fact, event)
            return known
        count = 1 + sum(1 for source in self._by_handle.values() if source.kind == kind)
        handle = f"{_LETTERS[kind]}{count}"
        self._by_handle[handle] = Source(handle, kind, identifier, words, fact, event)
        self._by_id[(kind, identifier)] = handle
        return handle


def same_words(one: Citation, other: Citation) -> bool:
    """Whether two citations share words of a turn."""
    return (
        (one.session_id, one.turn_id) == (other.session_id, other.turn_id)
        and one.start < other.end
        and other.start < one.end
    )
