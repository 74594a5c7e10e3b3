"""What a guarded query may name: the labels and relationship types of the graph, and the functions that cost little and change nothing.

An allow-list: what is not here is refused with the nearest names. The properties listed are those of the graph's nodes; a property is
not refused for being unknown (``d.days`` of a duration and ``m.key`` of a map look the same), except those in HIDDEN.
"""

from __future__ import annotations

import difflib

from graphmem.graph.batch import NODE_LABELS

LABELS = (*NODE_LABELS, "Commit")

TYPES = (
    "AT",
    "CITES",
    "CORRECTS",
    "DISTINCT_FROM",
    "ESTABLISHES",
    "FOLLOWS",
    "HAS_FACT",
    "HAS_TURN",
    "INVOLVES",
    "NAMES",
    "NEXT",
    "OF",
    "PRODUCED",
    "QUOTES",
    "REPLACES",
    "RESOLVED_TO",
    "RETRACTS",
    "SAME_AS",
    "SUPPORTED_BY",
    "VALUE",
)

HIDDEN = frozenset({"embedding", "embedding_next"})
"""Properties that no query may name: hundreds of numbers that say nothing to a reader."""

INTERNAL = HIDDEN | frozenset({"searchable", "scope", "day", "speaker_key", "namespace"})
"""Properties left out where a whole node is returned: what the indexes read, and what is the same for every node of the answer."""

AGGREGATES = frozenset(
    {"count", "collect", "sum", "avg", "min", "max", "stdev", "stdevp", "percentilecont", "percentiledisc"}
)

_SCALAR = """
coalesce nullif size length char_length character_length head last tail reverse isempty keys labels type properties
startnode endnode nodes relationships exists valuetype
tostring tostringornull tointeger tointegerornull tofloat tofloatornull toboolean tobooleanornull
toupper tolower upper lower trim ltrim rtrim btrim left right substring replace split normalize
abs ceil floor round sign sqrt exp log log10 pow isnan
range
date datetime localdatetime localtime time duration
date.truncate datetime.truncate localdatetime.truncate localtime.truncate time.truncate
datetime.fromepoch datetime.fromepochmillis
duration.between duration.inmonths duration.indays duration.inseconds
date.realtime datetime.realtime date.transaction datetime.transaction date.statement datetime.statement
"""
FUNCTIONS = AGGREGATES | frozenset(_SCALAR.split())


def nearest(name: str, known: tuple[str, ...] | frozenset[str]) -> str:
    """The known names most like this one, for a message; all of them where none is like it and they are few."""
    folded = {other.lower(): other for other in sorted(known)}
    close = [folded[found] for found in difflib.get_close_matches(name.lower(), list(folded), n=3, cutoff=0.6)]
    return ", ".join(close or (sorted(known) if len(known) <= 24 else []))
