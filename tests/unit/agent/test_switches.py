"""Every ablation is a setting."""

from __future__ import annotations

from typing import Any

import pytest

from graphmem.answer.agent.switches import SCHEMA_AND_LOOKUP, TOOLS, WITH_CYPHER, WITH_SEARCH, AgentSettings
from graphmem.errors import ConfigurationError


@pytest.mark.parametrize(
    ("settings", "offered", "seeded"),
    [
        ({}, TOOLS, True),
        ({"first_retrieval": False}, TOOLS, False),
        ({"retrieval": "grep"}, ("grep_turns", "grep_events"), False),
        ({"retrieval": "vector"}, tuple(name for name in TOOLS if not name.startswith("grep")), True),
        ({"turns_only": True}, ("search_turns", "grep_turns"), True),
        ({"turns_only": True, "retrieval": "vector"}, ("search_turns",), True),
        ({"tools": SCHEMA_AND_LOOKUP}, ("schema_viewer", "entity_lookup"), True),
        ({"tools": WITH_CYPHER}, ("schema_viewer", "entity_lookup", "cypher"), True),
        ({"tools": WITH_SEARCH}, ("schema_viewer", "entity_lookup", "cypher", "search"), True),
    ],
)
def test_a_switch_leaves_these_tools(settings: dict[str, Any], offered: tuple[str, ...], seeded: bool) -> None:
    agent = AgentSettings(**settings)
    assert agent.offered() == offered
    assert agent.seeded == seeded


def test_cypher_is_left_out_where_it_could_not_keep_to_what_was_said_or_known_by_a_time() -> None:
    assert "cypher" not in AgentSettings().offered(confined=True)


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("", AgentSettings()),
        ("plan=none, first_retrieval=false", AgentSettings(plan="none", first_retrieval=False)),
        ("tools=schema_viewer+entity_lookup+cypher", AgentSettings(tools=WITH_CYPHER)),
        ("retrieval=vector,turns_only=on,max_calls=9,cypher_seconds=2.5",
         AgentSettings(retrieval="vector", turns_only=True, max_calls=9, cypher_seconds=2.5)),
    ],
)  # fmt: skip
def test_switches_are_read_from_a_text(text: str, agent: AgentSettings) -> None:
    assert AgentSettings.parse(text) == agent


@pytest.mark.parametrize(
    "text", ["plan", "plan=", "=none", "plans=none", "max_calls=many", "cypher_seconds=nan", "tools=cypher;drop"]
)
def test_a_text_that_is_no_switch_is_refused(text: str) -> None:
    with pytest.raises(ConfigurationError):
        AgentSettings.parse(text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (",", "a comma has no switch before or after it; write name=value"),
        ("plan=none,,rerank=false", "a comma has no switch before or after it; write name=value"),
        ("plan=none,rerank=false, plan=rules", "plan is given twice; give it once"),
        ("max_calls=0", "max_calls is 0; it must be at least 1"),
        ("plan=perhaps", "it must be one of model, rules, none"),
    ],
)
def test_a_refusal_says_in_which_setting_what_is_wrong_and_what_to_do(text: str, told: str) -> None:
    with pytest.raises(ConfigurationError) as refused:
        AgentSettings.parse(text)
    assert str(refused.value).startswith(f"GRAPHMEM_AGENT is {text!r}: ")
    assert told in str(refused.value)


@pytest.mark.parametrize(
    "wrong",
    [
        {"tools": ("drop_database",)}, {"plan": "maybe"}, {"retrieval": "bm25"}, {"max_calls": -1}, {"attempts": 0}, {"seed_turns": 0},
        {"observation_tokens": 10}, {"cypher_seconds": 0},
    ],
)  # fmt: skip
def test_a_setting_that_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        AgentSettings(**wrong)
