"""Extraction: windows of turns become drafts of events, facts and mentions, each with its quotation."""

from __future__ import annotations

from graphmem.extract.protocol import Extractor
from graphmem.extract.vocabulary import PropertySpec, entity_types, properties
from graphmem.extract.with_rules import RuleExtractor

__all__ = ["Extractor", "PropertySpec", "RuleExtractor", "entity_types", "properties"]
