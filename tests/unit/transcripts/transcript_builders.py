"""Transcripts in each of the four formats, with invented words. Each builder also tells which turns it wrote."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

SPEAKERS = ("Ana", "Bo", "Dr. Chiamaka Obi", "安娜", "José", "Ümit")
WORDS = (
    "moved", "to", "the", "coast", "yesterday", "and", "still", "misses", "her", "garden", "naïve", "café", "你好", "🙂",
    "e\u0301clair", "مرحبا", "7:30", "C++", '"quoted"', "back\\slash", "50%", "{curly}", "[square]", "tab", "—", "it's",
)  # fmt: skip


@dataclass(frozen=True)
class Written:
    """A turn that a builder wrote: enough to find it again in what was read."""

    conversation: str | None
    speaker: str
    said_at: datetime
    text: str


def sentence(chance: random.Random, number: int) -> str:
    """Invented words, unlike those of any other number."""
    return f"{number} " + " ".join(chance.choices(WORDS, k=chance.randint(2, 14)))


def json_line(**changes: Any) -> dict[str, Any]:
    """A well-formed turn of our own format; a change to None leaves the field out."""
    turn: dict[str, Any] = {
        "session": "s1",
        "id": "s1:1",
        "speaker": "Ana",
        "said_at": "2023-05-08T13:56:00+02:00",
        "text": "I moved to the coast.",
    }
    turn.update(changes)
    return {name: value for name, value in turn.items() if value is not None}


def json_lines(chance: random.Random, count: int) -> tuple[list[dict[str, Any]], list[Written]]:
    """``count`` turns over a few sessions, in order of time."""
    moment = datetime(2023, 5, 8, 13, 56, tzinfo=timezone(timedelta(hours=2)))
    lines, written = [], []
    for number in range(count):
        moment += timedelta(minutes=chance.randint(1, 90))
        turn = Written(None, chance.choice(SPEAKERS), moment, sentence(chance, number))
        written.append(turn)
        line = json_line(
            session=f"s{number // 7}",
            id=f"s{number // 7}:{number}",
            speaker=turn.speaker,
            said_at=moment.isoformat(),
            text=turn.text,
        )
        lines.append(line)
    return lines, written


def plain_text(chance: random.Random, count: int) -> tuple[list[str], list[Written]]:
    """Lines of a plain text transcript: a heading of one of several shapes, then its turns; as many sessions as needed."""
    day = datetime(2023, 5, 8, 13, 56, tzinfo=UTC)
    lines, written = [], []
    for number in range(count):
        if number % 6 == 0:
            day += timedelta(days=chance.randint(1, 20))
            shape = chance.choice(("# %Y-%m-%d %H:%M", "[%Y-%m-%dT%H:%M+00:00]", "## Session 3 — %d %B %Y, %I:%M %p"))
            lines.append(day.strftime(shape))
        turn = Written(None, chance.choice(SPEAKERS), day, sentence(chance, number))
        written.append(turn)
        lines.append(f"{turn.speaker}: {turn.text}")
    return lines, written


def locomo(
    chance: random.Random, conversations: int, sessions: int, turns: int
) -> tuple[list[dict[str, Any]], list[Written]]:
    """Samples shaped like LoCoMo's, some turns with an image."""
    samples, written = [], []
    for conversation in range(conversations):
        name = f"conv-{conversation + 1}"
        talk: dict[str, Any] = {"speaker_a": "Ana", "speaker_b": "Bo"}
        for session in range(1, sessions + 1):
            day = datetime(2023, 5, 8, 13, 56, tzinfo=UTC) + timedelta(days=9 * session + conversation)
            talk[f"session_{session}_date_time"] = (
                day.strftime("%-I:%M %p on %-d %B, %Y").replace("AM", "am").replace("PM", "pm")
            )
            listed = []
            for n in range(1, turns + 1):
                turn = Written(name, ("Ana", "Bo")[n % 2], day, sentence(chance, len(written)))
                written.append(turn)
                value: dict[str, Any] = {"speaker": turn.speaker, "dia_id": f"D{session}:{n}", "text": turn.text}
                if n % 5 == 0:
                    value = {
                        "img_url": ["https://images.example/1.jpg"],
                        "blip_caption": "a photo of a cat",
                        "query": "cat",
                    } | value
                listed.append(value)
            talk[f"session_{session}"] = listed
        samples.append({"sample_id": name, "qa": [{"question": "Who?", "evidence": ["D1:1"]}], "conversation": talk})
    return samples, written


def longmemeval(
    chance: random.Random, questions: int, sessions: int, turns: int
) -> tuple[list[dict[str, Any]], list[Written]]:
    """Questions shaped like LongMemEval's."""
    listed, written = [], []
    for question in range(questions):
        name = f"q{question + 1}"
        haystack, dates, ids = [], [], []
        for session in range(sessions):
            day = datetime(2023, 5, 20, 2, 21, tzinfo=UTC) + timedelta(days=3 * session + question)
            dates.append(day.strftime("%Y/%m/%d (%a) %H:%M"))
            ids.append(f"answer_{question}_{session}")
            talk = []
            for n in range(turns):
                turn = Written(name, ("user", "assistant")[n % 2], day, sentence(chance, len(written)))
                written.append(turn)
                talk.append({"role": turn.speaker, "content": turn.text, "has_answer": n == 0})
            haystack.append(talk)
        listed.append(
            {
                "question_id": name,
                "question_type": "single-session-user",
                "question": "Where?",
                "answer": "There.",
                "question_date": "2023/06/20 (Tue) 02:21",
                "haystack_dates": dates,
                "haystack_session_ids": ids,
                "haystack_sessions": haystack,
            }
        )
    return listed, written


def as_lines(turns: list[dict[str, Any]]) -> str:
    """Turns as JSON Lines."""
    return "".join(json.dumps(turn, ensure_ascii=False) + "\n" for turn in turns)
