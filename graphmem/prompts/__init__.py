"""Prompts: versioned files beside this module, with their few-shot examples as data, checked when they are loaded.

A change of meaning makes a new version of the file; its name then enters the identity of everything that is read with it.
"""

from __future__ import annotations

from graphmem.prompts.loader import Example, Prompt, load, names
from graphmem.prompts.replies import ReplyPart

__all__ = ["Example", "Prompt", "ReplyPart", "load", "names"]
