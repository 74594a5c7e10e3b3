"""Extraction with a chat model: a prompt, a typed reply, and its conversion into drafts whose every quotation and time is checked."""

from __future__ import annotations

from graphmem.extract.with_model.extractor import ModelExtractor

__all__ = ["ModelExtractor"]
