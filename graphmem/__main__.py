"""``python -m graphmem`` is ``graphmem``."""

from __future__ import annotations

from graphmem.cli import main

main()
