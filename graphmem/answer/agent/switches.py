"""What the answering loop may do and spend: its limits, and a switch for every ablation of Chronos and APEX-MEM.

All of them are settings: ``Settings.agent`` (``GRAPHMEM_AGENT``) holds them as text, which ``AgentSettings.parse`` reads. One is no
business of the loop: online construction, reading turns when a question needs them, is ``Settings.online`` of the memory.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Final, Literal, Self

from graphmem.errors import ConfigurationError
from graphmem.settings import value_of

ToolName = Literal[
    "schema_viewer", "entity_lookup", "cypher", "search", "search_turns", "search_events", "grep_turns", "grep_events"
]  # fmt: skip
TOOLS: Final[tuple[ToolName, ...]] = (
    "schema_viewer",
    "entity_lookup",
    "cypher",
    "search",
    "search_turns",
    "search_events",
    "grep_turns",
    "grep_events",
)
SCHEMA_AND_LOOKUP: Final[tuple[ToolName, ...]] = ("schema_viewer", "entity_lookup")
"""APEX-MEM's smallest set of tools; ``WITH_CYPHER`` and ``WITH_SEARCH`` are its next two."""
WITH_CYPHER: Final[tuple[ToolName, ...]] = (*SCHEMA_AND_LOOKUP, "cypher")
WITH_SEARCH: Final[tuple[ToolName, ...]] = (*WITH_CYPHER, "search")

_TURNS: Final = frozenset({"search_turns", "grep_turns"})
_GREP: Final = frozenset({"grep_turns", "grep_events"})


@dataclass(frozen=True, slots=True)
class AgentSettings:
    """How a question is answered with a model.

    Switches: ``plan`` says who plans ("none": no plan is shown). ``first_retrieval``: whether the model begins with what a search found.
    ``rerank``: whether a reranker, where there is one, orders the first retrieval. ``time_filter``: whether the question's time narrows the
    first retrieval, counts in a search, and is shown. ``retrieval``: "grep" leaves exact words only, "vector" meaning only.
    ``turns_only``: nothing that was read out of the turns (events, facts, entities, Cypher). ``tools`` are the tools that are offered, in
    this order.

    Limits: ``max_calls`` counts tool calls. ``max_repeats`` is how many steps in a row may only repeat calls. Tokens are estimates (a
    quarter of the ASCII characters, and one for each other character): ``observation_tokens`` for one tool's reply, ``seed_tokens`` for
    the first retrieval, ``prompt_tokens`` for the prompts of all requests of a question together, the last answer's included.
    ``seed_turns`` counts the turns of the first retrieval, taken from ``candidates`` when they are reranked. ``quote_characters`` is how
    much of a text is shown before it is cut. ``cypher_seconds`` and ``cypher_rows`` bound one query. ``attempts`` is how often a call is
    tried while the database cannot be reached.
    """

    plan: Literal["model", "rules", "none"] = "model"
    first_retrieval: bool = True
    rerank: bool = True
    time_filter: bool = True
    retrieval: Literal["hybrid", "grep", "vector"] = "hybrid"
    turns_only: bool = False
    tools: tuple[ToolName, ...] = TOOLS
    max_calls: int = 40
    max_repeats: int = 2
    observation_tokens: int = 600
    seed_tokens: int = 1200
    prompt_tokens: int = 20_000
    seed_turns: int = 15
    candidates: int = 100
    quote_characters: int = 240
    cypher_seconds: float = 10.0
    cypher_rows: int = 100
    attempts: int = 3

    def __post_init__(self) -> None:
        unknown = [name for name in self.tools if name not in TOOLS]
        if unknown:
            raise ConfigurationError(f"the agent's tools name {', '.join(unknown)}; known are {', '.join(TOOLS)}")
        for name, allowed in (("plan", ("model", "rules", "none")), ("retrieval", ("hybrid", "grep", "vector"))):
            if getattr(self, name) not in allowed:
                raise ConfigurationError(
                    f"the agent's {name} is {getattr(self, name)!r}; it must be one of {', '.join(allowed)}"
                )
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, int | float) and not isinstance(value, bool) and not value >= _least(field.name):
                raise ConfigurationError(
                    f"the agent's {field.name} is {value}; it must be at least {_least(field.name)}"
                )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Switches and limits from ``name=value`` pairs separated by commas, tools joined by "+"; the rest are the defaults.

        Such as ``plan=none,first_retrieval=false,tools=schema_viewer+entity_lookup,max_calls=10``. Raises ConfigurationError, whose
        message begins with the setting.
        """
        if not text.strip():
            return cls()
        try:
            return cls(**cls._given(text))
        except ConfigurationError as exc:
            raise ConfigurationError(f"GRAPHMEM_AGENT is {text!r}: {exc}") from exc

    @classmethod
    def _given(cls, text: str) -> dict[str, Any]:
        kinds = {field.name: str(field.type) for field in fields(cls)}
        given: dict[str, Any] = {}
        for pair in (part.strip() for part in text.split(",")):
            name, equals, value = (part.strip() for part in pair.partition("="))
            if not pair:
                raise ConfigurationError(
                    "a comma has no switch before or after it; write name=value with one comma between, or leave it unset"
                )
            if not equals or not value:
                raise ConfigurationError(f"{pair!r} is no switch of the agent; write name=value, such as plan=none")
            if name not in kinds:
                raise ConfigurationError(f"the agent has no switch {name!r}; there are {', '.join(kinds)}")
            if name in given:
                raise ConfigurationError(f"{name} is given twice; give it once")
            if name == "tools":
                given[name] = tuple(part.strip() for part in value.split("+"))
            else:
                given[name] = value_of(f"the agent's {name}", kinds[name], value)
        return given

    def offered(self, *, confined: bool = False) -> tuple[ToolName, ...]:
        """The tools that these switches leave. ``confined``: what was said or known by a time is asked for, which Cypher cannot keep to."""
        found = self.tools
        if self.turns_only:
            found = tuple(name for name in found if name in _TURNS)
        if self.retrieval == "grep":
            found = tuple(name for name in found if name in _GREP)
        elif self.retrieval == "vector":
            found = tuple(name for name in found if name not in _GREP)
        return tuple(name for name in found if not (confined and name == "cypher"))

    @property
    def seeded(self) -> bool:
        """Whether there is a first retrieval: without a search there is none."""
        return self.first_retrieval and self.retrieval != "grep"


def _least(name: str) -> float:
    return {"cypher_seconds": 0.1, "observation_tokens": 100, "seed_tokens": 100}.get(name, 1)
