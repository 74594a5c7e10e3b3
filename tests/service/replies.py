"""What the local service receives and answers. Builders for each thing that a real one does, good and bad."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

Cut = Literal["", "before", "inside"]
"""Where the service breaks the connection: not at all, before it answers, or inside the body."""


@dataclass(frozen=True)
class Received:
    """A request as it came in. ``number`` counts from 0 in order of arrival."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def prompt(self) -> str:
        """All that the messages of a chat request say, one after the other."""
        return "\n".join(str(message.get("content") or "") for message in self.body.get("messages", []))

    @property
    def mode(self) -> str:
        """How a chat request asks for a typed reply: strict, schema, tool, json or text."""
        form = self.body.get("response_format") or {}
        if form.get("type") == "json_schema":
            return "strict" if form["json_schema"].get("strict") else "schema"
        if form.get("type") == "json_object":
            return "json"
        return "tool" if isinstance(self.body.get("tool_choice"), dict) else "text"


@dataclass(frozen=True)
class Reply:
    """An HTTP answer. ``body`` is sent as JSON, or as it is when it is bytes.

    ``delay`` is slept before, in seconds; ``drip`` before each tenth of the body.
    """

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    cut: Cut = ""


def says(
    text: str | Mapping[str, Any] | None,
    *,
    finish: str = "stop",
    refusal: str | None = None,
    prompt_tokens: int = 100,
    completion_tokens: int = 20,
    model: str = "scripted",
    **reply: Any,
) -> Reply:
    """A chat message with this text; an object is sent as its JSON."""
    content = json.dumps(text, ensure_ascii=False) if isinstance(text, Mapping) else text
    message = {"role": "assistant", "content": content, "refusal": refusal}
    return _chat(message, finish, prompt_tokens, completion_tokens, model, **reply)


def calls_tools(*calls: tuple[str, Any], text: str | None = None, finish: str = "tool_calls", **reply: Any) -> Reply:
    """A chat message that calls tools: each a name and its arguments, an object or raw text."""
    made = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {
                "name": name,
                "arguments": arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False),
            },
        }
        for number, (name, arguments) in enumerate(calls)
    ]
    return _chat({"role": "assistant", "content": text, "tool_calls": made}, finish, 100, 20, "scripted", **reply)


def error(
    status: int, message: str = "scripted error", *, code: str | None = None, param: str | None = None, **reply: Any
) -> Reply:
    """An error in OpenAI's form. For a rate limit give ``headers={"retry-after": "2"}``."""
    about = {"message": message, "type": "scripted_error", "code": code, "param": param}
    return Reply({"error": about, "message": message}, status, **reply)


def vectors(request: Received, dimensions: int = 8) -> Reply:
    """Embeddings of the request's texts, in the dimensions that it asks for."""
    texts = request.body["input"]
    texts = [texts] if isinstance(texts, str) else texts
    size = int(request.body.get("dimensions") or dimensions)
    data = [
        {"object": "embedding", "index": number, "embedding": vector_of(text, size)}
        for number, text in enumerate(texts)
    ]
    used = sum(len(text.split()) for text in texts)
    usage = {"prompt_tokens": used, "total_tokens": used}
    return Reply({"object": "list", "model": request.body["model"], "data": data, "usage": usage})


def vector_of(text: str, dimensions: int) -> list[float]:
    """A vector that depends on the text alone, of length 3: texts that share words lie closer."""
    sums = [0.0] * dimensions
    for word in text.casefold().split() or [""]:
        digest = hashlib.sha256(word.encode("utf-8")).digest()
        for place in range(dimensions):
            sums[place] += digest[place % 32] / 127.5 - 1.0
    length = math.sqrt(sum(value * value for value in sums)) or 1.0
    return [3.0 * value / length for value in sums]


def ranks(request: Received, scores: Sequence[float] | None = None) -> Reply:
    """Cohere's reply, best first: the given scores by position, or how many of the query's words a text has."""
    documents = request.body["documents"]
    words = set(request.body["query"].casefold().split())
    found = scores or [len(words & set(document.casefold().split())) / max(len(words), 1) for document in documents]
    results = [{"index": number, "relevance_score": score} for number, score in enumerate(found)]
    results.sort(key=lambda one: -one["relevance_score"])
    return Reply({"id": "scripted", "results": results, "meta": {"billed_units": {"search_units": 1}}})


def _chat(
    message: Mapping[str, Any], finish: str, prompt_tokens: int, completion_tokens: int, model: str, **reply: Any
) -> Reply:
    usage = {
        "prompt_tokens": prompt_tokens,
        "completion_tokens": completion_tokens,
        "total_tokens": prompt_tokens + completion_tokens,
    }
    choices = [{"index": 0, "message": message, "finish_reason": finish}]
    body = {"id": "scripted", "object": "chat.completion", "created": 0, "model": model, "choices": choices}
    return Reply(body | {"usage": usage}, **reply)
