"""Identifiers: digests of content, so that the same input always gives the same node.

An identifier is 128 bits of BLAKE2b over a kind and its parts, length-prefixed so that no two lists of parts run together, as 32 hex
digits. Nothing random and no clock enters it: a second run, a renamed file or another machine gives the same identifiers.
"""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any


def digest(kind: str, *parts: str | int | None) -> str:
    """The identifier of a thing of this kind made of these parts: 32 hex digits. None and "" are different parts."""
    state = hashlib.blake2b(digest_size=16)
    for part in (kind, *parts):
        encoded = b"\x00" if part is None else b"\x01" + str(part).encode("utf-8", "surrogatepass")
        state.update(len(encoded).to_bytes(8, "big"))
        state.update(encoded)
    return state.hexdigest()


def namespace_label(namespace: str) -> str:
    """The label that every node of a namespace carries: ``N_`` and 12 hex digits. The namespace's text never becomes a label itself."""
    return "N_" + digest("namespace", namespace)[:12]


def normalise_name(text: str) -> str:
    """A name as it is compared: NFKC, case-folded, possessive endings and outer punctuation off, white space folded."""
    folded = " ".join(unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'").split())
    folded = folded.strip(" \t.,;:!?\"'()[]{}*_~`“”‘«»")
    for ending in ("'s", "s'"):
        if folded.endswith(ending) and len(folded) > len(ending) + 1:
            folded = folded[: -len(ending)] + ("s" if ending == "s'" else "")
    return folded


def content_digest(properties: Mapping[str, Any]) -> str:
    """SHA-256 of a node's or an edge's properties, whatever their order: what the ledger's digests are made of.

    Datetimes count as their instant in UTC, so that a value read back from the database digests as it was written.
    """
    text = json.dumps(properties, sort_keys=True, ensure_ascii=False, default=_plain, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _plain(value: Any) -> str:
    if isinstance(value, datetime):
        return instant(value)
    raise TypeError(f"{type(value).__name__} has no place in a digest: {value!r}")


def instant(moment: datetime) -> str:
    """An aware datetime as the ISO text of its instant in UTC, to the microsecond."""
    if moment.tzinfo is None:
        raise ValueError(f"{moment.isoformat()} has no offset; instants are made from aware datetimes")
    return moment.astimezone(UTC).isoformat(timespec="microseconds")
