"""The app that the commands register on, the options that they share, and how they open a memory."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer

from graphmem.cli.show import Waiting, note
from graphmem.memory import Memory
from graphmem.settings import from_environment

app = typer.Typer(
    name="graphmem",
    help="A memory for conversations: what was said, when it held, and the words it rests on, in Neo4j.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Namespace = Annotated[
    str | None, typer.Option("--namespace", "-n", help="Whose memory; GRAPHMEM_NAMESPACE or 'default' without it.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]
AsOf = Annotated[str | None, typer.Option("--as-of", help="When it held in the world: an ISO date or time.")]
SaidBy = Annotated[str | None, typer.Option("--said-by", help="Count only what had been said by then.")]
KnownAt = Annotated[str | None, typer.Option("--known-at", help="Count only what the memory had learned by then.")]


@contextmanager
def opened(namespace: str | None = None, **changes: Any) -> Iterator[Memory]:
    """A memory by the settings of the environment, with ``changes``; shows progress while its files are fetched for the first time."""
    settings = from_environment().with_changes(namespace=namespace, **changes)
    with (
        Waiting() as waiting,
        Memory.open(settings=settings, fetching=waiting.bytes("fetching Neo4j and the model")) as memory,
    ):
        waiting.done()
        yield memory


@contextmanager
def opened_to_ask(namespace: str | None = None) -> Iterator[Memory]:
    """A memory that is only asked; where its namespace holds nothing, standard error says so in the end, and where something is."""
    with opened(namespace) as memory:
        yield memory
        if memory.is_empty():
            note(of_empty(memory.settings.namespace, [each.namespace for each in memory.namespaces()]))


def of_empty(namespace: str, filled: Sequence[str], most: int = 5) -> str:
    """What is said of a namespace that holds nothing: which of the ``filled`` ones may be meant, the most alike first. Pure."""
    if not filled:
        path = f"`graphmem ingest PATH --namespace {shlex.quote(namespace)}`"
        return f"namespace {namespace!r} holds nothing, and neither does any other; {path} reads transcripts into it"
    alike = difflib.get_close_matches(namespace, filled, n=most)
    shown = list(dict.fromkeys((*alike, *filled)))[:most]
    more = f" and {len(filled) - len(shown)} more (`graphmem namespaces`)" if len(filled) > len(shown) else ""
    return f"namespace {namespace!r} holds nothing; give --namespace one that does: {', '.join(shown)}{more}"


def failed() -> typer.Exit:
    """The end of a command not all of which worked; what failed is shown already."""
    return typer.Exit(code=1)
