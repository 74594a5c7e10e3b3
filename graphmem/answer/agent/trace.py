"""The whole course of a question, as frozen records: what was planned, retrieved, called, observed and concluded, with tokens and times.

A trace holds all that a model replied, so a question can be asked again from it without a model (``replay``). It is saved as JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from graphmem.answer.agent.directions import TURNED
from graphmem.answer.agent.observing import Outcome
from graphmem.answer.agent.plan import AgentPlan
from graphmem.answer.agent.switches import AgentSettings
from graphmem.errors import InputError
from graphmem.records import Answer

VERSION = 1


@dataclass(frozen=True, slots=True)
class Tokens:
    """What a request took: as the service counts, and the prompt as estimated before it was sent (what the budget goes by)."""

    prompt: int = 0
    completion: int = 0
    estimated: int = 0


@dataclass(frozen=True, slots=True)
class Called:
    """A call that the model made, its arguments as it wrote them."""

    id: str
    tool: str
    arguments: str


@dataclass(frozen=True, slots=True)
class Planned:
    """The plan. ``reply`` is the model's, None where rules planned; ``fault`` why a model's could not be used."""

    plan: AgentPlan
    tokens: Tokens
    seconds: float
    reply: Mapping[str, Any] | None = None
    model: str | None = None
    fault: str | None = None
    kind: Literal["planned"] = "planned"


@dataclass(frozen=True, slots=True)
class Seeded:
    """The first retrieval as the model got it."""

    text: str
    rows: int
    tokens: int
    seconds: float
    kind: Literal["seeded"] = "seeded"


@dataclass(frozen=True, slots=True)
class Replied:
    """A message of the model. ``request`` is a digest of what it was sent, so that a replay can tell whether it was sent the same."""

    text: str
    calls: tuple[Called, ...]
    tokens: Tokens
    seconds: float
    model: str
    request: str
    last: bool = False
    kind: Literal["replied"] = "replied"


@dataclass(frozen=True, slots=True)
class Observed:
    """The reply to a call, as the model got it. ``number`` counts calls from 1."""

    number: int
    call: Called
    outcome: Outcome
    rows: int
    tokens: int
    seconds: float
    text: str
    hint: str | None = None
    kind: Literal["observed"] = "observed"


Why = Literal["unsound", "unsearched", "not an answer", "limit"]


@dataclass(frozen=True, slots=True)
class Told:
    """What the model was told about its answer, or when a limit was reached."""

    why: Why
    text: str
    kind: Literal["told"] = "told"


@dataclass(frozen=True, slots=True)
class Concluded:
    """The end: the answer, and whether the model gave it by itself or at a limit (``limit`` says which)."""

    answer: Answer
    limit: str | None = None
    kind: Literal["concluded"] = "concluded"


AgentStep = Planned | Seeded | Replied | Observed | Told | Concluded
Entry = Annotated[AgentStep, Field(discriminator="kind")]


@dataclass(frozen=True, slots=True)
class Trace:
    """A question's whole course, in order. ``seconds`` are wall-clock; ``time_policy`` as in the settings of a memory."""

    question: str
    namespace: str
    asked_at: datetime
    settings: AgentSettings
    entries: tuple[Entry, ...]
    seconds: float
    as_of: datetime | None = None
    said_by: datetime | None = None
    known_at: datetime | None = None
    time_policy: str = ""
    version: int = VERSION

    @property
    def observed(self) -> tuple[Observed, ...]:
        """The calls with their replies."""
        return tuple(each for each in self.entries if isinstance(each, Observed))

    @property
    def replied(self) -> tuple[Replied, ...]:
        """The model's messages."""
        return tuple(each for each in self.entries if isinstance(each, Replied))

    @property
    def answer(self) -> Answer | None:
        """The answer, None if it was broken off."""
        return next((each.answer for each in self.entries if isinstance(each, Concluded)), None)

    @property
    def prompt_tokens(self) -> int:
        """Prompt tokens of all requests together, as estimated."""
        planned = sum(each.tokens.estimated for each in self.entries if isinstance(each, Planned))
        return planned + sum(each.tokens.estimated for each in self.replied)

    @property
    def rounds(self) -> int:
        """Steps in which tools were called."""
        return sum(1 for each in self.replied if any(call.tool != "answer" for call in each.calls))

    @property
    def mean_observation(self) -> float:
        """Tokens of an observation on average; 0 without any."""
        return sum(each.tokens for each in self.observed) / len(self.observed) if self.observed else 0.0


@dataclass(frozen=True, slots=True)
class CypherCounts:
    """How Cypher calls went. A failure is a refusal, an empty result or unreadable arguments.

    ``recovered`` are failures after which something was found, by ``ways``: another query, another tool, or (``none``) not at all.
    ``turned`` are the calls, successful or not, of which an arrow was turned before they ran.
    """

    calls: int = 0
    succeeded: int = 0
    failed: int = 0
    recovered: int = 0
    ways: Mapping[str, int] = field(default_factory=dict)
    turned: int = 0


def cypher_counts(trace: Trace) -> CypherCounts:
    """Success and recovery of the Cypher calls of a question: the first later call that found rows is the way of recovery."""
    observed = trace.observed
    calls = [place for place, each in enumerate(observed) if each.call.tool == "cypher" and each.outcome != "repeated"]
    ways: dict[str, int] = {}
    succeeded = 0
    for place in calls:
        if observed[place].outcome == "rows":
            succeeded += 1
            continue
        later = next((each for each in observed[place + 1 :] if each.outcome == "rows"), None)
        way = "none" if later is None else "another query" if later.call.tool == "cypher" else later.call.tool
        ways[way] = ways.get(way, 0) + 1
    failed = len(calls) - succeeded
    turned = sum(1 for place in calls if TURNED in observed[place].text)
    recovered = failed - ways.get("none", 0)
    return CypherCounts(len(calls), succeeded, failed, recovered, dict(sorted(ways.items())), turned)


_ADAPTER = TypeAdapter(Trace)


def to_json(trace: Trace) -> str:
    """A trace as JSON text."""
    return _ADAPTER.dump_json(trace, indent=1).decode("utf-8")


def from_json(text: str) -> Trace:
    """A trace from the text that ``to_json`` wrote. Raises InputError for any other."""
    try:
        trace = _ADAPTER.validate_json(text)
    except ValidationError as exc:
        raise InputError(
            f"this is no trace: {exc.error_count()} fields are wrong, the first: {exc.errors()[0]['loc']}"
        ) from exc
    if trace.version != VERSION:
        raise InputError(f"this trace has version {trace.version}, and version {VERSION} is read")
    return trace


def save(trace: Trace, path: Path) -> None:
    """Writes a trace to a file. Raises InputError if it cannot be written."""
    try:
        path.write_text(to_json(trace), encoding="utf-8")
    except OSError as exc:
        raise InputError(f"the trace cannot be written to {path}: {exc}") from exc


def load_trace(path: Path) -> Trace:
    """Reads a trace from a file. Raises InputError if it is none."""
    try:
        return from_json(path.read_text(encoding="utf-8"))
    except OSError as exc:
        raise InputError(f"the trace {path} cannot be read: {exc}") from exc
