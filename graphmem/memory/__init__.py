"""What users hold: ``AsyncMemory``, and ``Memory`` over it for code without async. Wiring only; the work is done below."""

from __future__ import annotations

from graphmem.memory.asynchronous import AsyncMemory
from graphmem.memory.blocking import Memory

__all__ = ["AsyncMemory", "Memory"]
