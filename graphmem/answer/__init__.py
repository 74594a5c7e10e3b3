"""Answers without a model: a question is planned by rules, the plan is compiled to reads, and what they return is quoted."""

from __future__ import annotations

from graphmem.answer.ask import ask
from graphmem.answer.plan import Plan, plan

__all__ = ["Plan", "ask", "plan"]
