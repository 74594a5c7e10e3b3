"""Reads a prompt file: a header with its purpose and parameters, the text, and examples from a data file of the same name.

A file opens with ``---``, a line ``purpose: …`` and a line ``parameters: a, b`` (or ``parameters: none``), and ``---`` again. In the text a
parameter stands as ``{{a}}``. What is declared and what is used must be the same, else loading fails with the file and the difference:
the habit of query files (``graphmem/graph/queries.py``).

Examples lie in ``<name>.examples.toml``: a table ``[[examples]]`` each, with ``case``, ``said_at``, ``turns`` (speaker and text, the
speaker of an already read turn in parentheses) and ``reply`` as JSON text. The parser of the reply is not known here; the caller checks
them against its reply model.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from graphmem.errors import ConfigurationError

_NAME = re.compile(r"(?P<name>[a-z_]+)\.(?P<version>v\d+)")
_HEADER = re.compile(r"\A---\npurpose: (?P<purpose>[^\n]+)\nparameters: (?P<parameters>[^\n]+)\n---\n", re.ASCII)
_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")


@dataclass(frozen=True, slots=True)
class Example:
    """A few-shot example: the case it shows, when its turns were said, (speaker, text) each, and the reply that is right."""

    case: str
    said_at: str
    turns: tuple[tuple[str, str], ...]
    reply: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt file. ``digest`` is the SHA-256, in hex, of the file and its examples: the same exactly if the model sees the same."""

    name: str
    version: str
    purpose: str
    parameters: frozenset[str]
    text: str
    examples: tuple[Example, ...]
    digest: str

    @property
    def title(self) -> str:
        """Name and version, as the file is called: ``extract.v1``."""
        return f"{self.name}.{self.version}"

    def fill(self, **values: str) -> str:
        """The text with each parameter in its place. Raises ConfigurationError where one is missing or unknown."""
        if values.keys() != self.parameters:
            raise ConfigurationError(
                f"prompt {self.title} takes {sorted(self.parameters)}, and was given {sorted(values)}; give each, and no other"
            )
        return _PLACEHOLDER.sub(lambda found: values[found[1]], self.text)


@cache
def load(title: str) -> Prompt:
    """The prompt of this name and version, such as ``extract.v1``. Raises ConfigurationError if there is none or it is malformed."""
    text = _read(f"{title}.md")
    if text is None:
        raise ConfigurationError(f"there is no prompt file {title}.md; there are: {', '.join(names())}")
    return parse(title, text, _read(f"{title}.examples.toml"))


def names() -> tuple[str, ...]:
    """All prompts there are, as ``name.version``."""
    files = (each.name for each in resources.files(__package__).iterdir())
    return tuple(sorted(name.removesuffix(".md") for name in files if name.endswith(".md")))


def parse(title: str, text: str, examples: str | None = None) -> Prompt:
    """Reads the text of a prompt file and of its examples. Raises ConfigurationError naming the file that is malformed."""
    named = _NAME.fullmatch(title)
    header = _HEADER.match(text)
    if named is None or header is None:
        raise ConfigurationError(
            f"prompt {title}.md: it must be called <name>.v<number>.md and open with ---, purpose: …, parameters: …, ---"
        )
    body = text[header.end() :].strip()
    declared = frozenset(re.findall(r"[a-z_]+", header["parameters"])) - {"none"}
    used = frozenset(_PLACEHOLDER.findall(body))
    if declared != used:
        raise ConfigurationError(
            f"prompt {title}.md declares the parameters {sorted(declared)} and uses {sorted(used)}; header and text must agree"
        )
    digest = hashlib.sha256("\x00".join((text, examples or "")).encode("utf-8")).hexdigest()
    read = () if examples is None else _examples(title, examples)
    return Prompt(named["name"], named["version"], header["purpose"].strip(), declared, body, read, digest)


def _examples(title: str, text: str) -> tuple[Example, ...]:
    where = f"{title}.examples.toml"
    found = []
    try:
        for entry in tomllib.loads(text)["examples"]:
            turns = tuple((str(speaker), str(said)) for speaker, said in entry["turns"])
            found.append(Example(entry["case"], entry["said_at"], turns, json.loads(entry["reply"])))
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as exc:
        raise ConfigurationError(
            f"{where} cannot be read at example {len(found) + 1}: {exc!r}; see the module's docstring"
        ) from exc
    return tuple(found)


def _read(file: str) -> str | None:
    try:
        return resources.files(__package__).joinpath(file).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
