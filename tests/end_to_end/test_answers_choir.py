"""Asking without a model, on a conversation of two singers that was invented for it: every question form, and what is never said."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
import pytest_asyncio

from graphmem import transcripts
from graphmem.answer import ask
from graphmem.errors import QuestionError
from graphmem.extract.with_rules import RuleExtractor
from graphmem.graph.connection import Graph
from graphmem.ingest import Ingestion
from graphmem.providers.local_embedder import LocalEmbedder
from graphmem.records import Answer
from graphmem.settings import Settings

SESSIONS: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...] = (
    (
        "k1",
        "2022-02-05T18:00:00+01:00",
        (
            ("Noor", "Hi Elias! I live in Utrecht now, above a bakery. It smells of bread all day."),
            ("Elias", "Lucky you. And what do you do there?"),
            (
                "Noor",
                "I work as a baker at Molenkamp Bread. I start at four in the morning, so I go to bed with the hens.",
            ),
            ("Elias", "Speaking of hens, I have five hens now. My daughter Viola named them all."),
            ("Noor", "Five! I'd love to have a dog, but the flat is too small."),
            ("Elias", "I joined the Lindum Choir last month. You should come, you used to sing."),
            ("Noor", "I can't stand choirs. I really hate choir singing, all that standing."),
        ),
    ),
    (
        "k2",
        "2022-09-18T20:10:00+02:00",
        (
            ("Noor", "I bought a kayak yesterday! It's red and it cost 340 euros."),
            ("Elias", "A kayak? Where will you put it, in the oven?"),
            ("Noor", "In the courtyard. Its name is Pepper. My sister Salma helped me carry it."),
            ("Elias", "Is Salma the one who paints?"),
            ("Noor", "No, that's my cousin. Salma is a nurse. She works at the Sint Odo hospital."),
            ("Elias", "I'm allergic to walnuts, by the way, so no walnut bread when I visit."),
            ("Noor", "Noted. If I ever leave Utrecht, I'll move to Oslo, I think. Fjords everywhere."),
        ),
    ),
    (
        "k3",
        "2023-04-02T11:30:00+02:00",
        (
            ("Elias", "How was your week?"),
            ("Noor", "Big news. I quit the bakery on Friday, my back couldn't take it anymore."),
            ("Elias", "Oh! What now?"),
            ("Noor", "I'm moving to Malmö on 1 May. I found a job at a boatyard there, Sundvik Boats."),
            ("Elias", "Malmö! I'm going to visit you in July, then."),
            ("Noor", "Please do. And guess what, I went to a choir rehearsal in Utrecht with my neighbour Bram."),
            ("Elias", "You? You hate choirs!"),
        ),
    ),
    (
        "k4",
        "2023-08-20T19:00:00+02:00",
        (
            ("Elias", "I'm sorry that I didn't make it to Malmö in July. My knee, again."),
            ("Noor", "Next year. I moved here on 3 May in the end, because the van broke down."),
            (
                "Noor",
                "I work at Sundvik Boats now, I repair engines. And I love choir singing now, can you believe it?",
            ),
            ("Elias", "No! What happened?"),
            ("Noor", "Bram happened. He sings bass, and so does his brother Joris."),
            ("Elias", "Our choir's concert is on 14 October. Will you come?"),
            ("Noor", "I'll try. It takes three hours by train."),
        ),
    ),
    (
        "k5",
        "2023-10-29T17:45:00+01:00",
        (
            ("Elias", "The concert was moved to 21 October, you know, because of the storm. It went well."),
            ("Noor", "I looked for tickets, but the train doesn't take three hours. It takes five hours."),
            ("Elias", "A fox got two of my hens. I have three hens left."),
            ("Noor", "Oh no. Poor Viola."),
            (
                "Elias",
                "She cried. And I was wrong about the walnuts. I'm not allergic to walnuts. I'm allergic to hazelnuts.",
            ),
            ("Noor", "Good that you found out. I paid 95 euros for the rent of a garage, by the way, for Pepper."),
            ("Elias", "Did you fix the old engine?"),
            ("Noor", "Yes, it runs on firmware 2.4.1 now. It came with 2.3.0 and kept stopping."),
        ),
    ),
    (
        "k6",
        "2024-03-10T15:00:00+01:00",
        (
            ("Noor", "I sold the kayak last week. I bought a rowing boat instead."),
            ("Elias", "Goodbye, Pepper. I finally adopted a dog on 2 March. Her name is Tulip."),
            ("Noor", "Tulip! Who looks after her when you rehearse?"),
            ("Elias", "My neighbour Agnes. She rehearses on Mondays, I rehearse every Thursday."),
            ("Noor", "I left Sundvik Boats on 29 February. I teach sailing at the Ribban school now."),
            ("Elias", "A teacher! My phone number has changed, it's 0611 20 44 now."),
        ),
    ),
)
"""Name of the session, when it starts, and its turns, one a minute."""

ASKED_AT = "2024-03-11T09:00:00+01:00"

QUESTIONS: tuple[tuple[str, tuple[str, ...], tuple[str, ...]], ...] = (
    ("Where does Noor live now?", ("Malmö",), ("k4:2", "k3:4")),
    ("Where did Noor live before Malmö?", ("Utrecht",), ("k1:1",)),
    ("Where was Noor living in December 2022?", ("Utrecht",), ("k1:1",)),
    ("When did Noor move to Malmö?", ("3 May 2023",), ("k4:2",)),
    ("Where did Noor work in June 2022?", ("Molenkamp Bread",), ("k1:3",)),
    ("Where does Noor work now?", ("Ribban",), ("k6:5",)),
    ("What is Noor's job at the moment?", ("teach", "teacher", "teaches", "sailing"), ("k6:5", "k6:6")),
    ("Where did Noor work before the Ribban school?", ("Sundvik Boats",), ("k4:3", "k3:4", "k6:5")),
    ("How much did the kayak cost?", ("340",), ("k2:1",)),
    ("What colour was Noor's kayak?", ("red",), ("k2:1",)),
    ("What is the name of Noor's kayak?", ("Pepper",), ("k2:3",)),
    ("When did Noor buy the kayak?", ("17 September 2022",), ("k2:1",)),
    ("How many hens does Elias have now?", ("three", "3"), ("k5:3",)),
    ("How many hens did Elias have in 2022?", ("five", "5"), ("k1:4",)),
    ("What is Elias allergic to?", ("hazelnuts",), ("k5:5",)),
    ("Is Elias allergic to walnuts?", ("No",), ("k5:5",)),
    ("When was the choir's concert?", ("21 October 2023",), ("k5:1",)),
    ("How long does the train to the concert take?", ("five hours",), ("k5:2",)),
    ("Who is Noor's sister?", ("Salma",), ("k2:3", "k2:5")),
    ("What is the job of Noor's sister?", ("nurse",), ("k2:5",)),
    ("What is Elias's daughter called?", ("Viola",), ("k1:4",)),
    ("What is the name of Elias' dog?", ("Tulip",), ("k6:2",)),
    ("When did Elias adopt the dog?", ("2 March 2024",), ("k6:2",)),
    ("Who else sings bass besides Bram?", ("Joris",), ("k4:5",)),
    ("How has Noor's opinion of choirs changed?", ("love", "loves"), ("k4:3",)),
    ("Which boat did Noor have before the rowing boat?", ("kayak",), ("k6:1", "k2:1")),
    ("Which firmware did the engine come with first?", ("2.3.0",), ("k5:8",)),
    ("How often does Elias rehearse?", ("every Thursday",), ("k6:4",)),
    ("What is Elias's phone number now?", ("0611 20 44",), ("k6:6",)),
    ("When did Noor leave Sundvik Boats?", ("29 February 2024",), ("k6:5",)),
    ("where does noor work", ("Ribban",), ("k6:5",)),
    ("When did Elias visit Noor in Malmö?", (), ()),
    ("When did Noor move to Oslo?", (), ()),
    ("What is Agnes allergic to?", (), ()),
    ("How much did the rowing boat cost?", (), ()),
    ("What is the name of Noor's dog?", (), ()),
    ("How old is Viola?", (), ()),
)
"""Question, wordings of a right answer (none: the memory has to say that it does not know), and turns that are right to cite."""


def transcript() -> str:
    """The conversation as JSON Lines."""
    lines = []
    for session, start, turns in SESSIONS:
        for position, (speaker, text) in enumerate(turns):
            said_at = (datetime.fromisoformat(start) + timedelta(minutes=position)).isoformat()
            turn = {
                "session": session,
                "id": f"{session}:{position + 1}",
                "speaker": speaker,
                "said_at": said_at,
                "text": text,
            }
            lines.append(json.dumps(turn, ensure_ascii=False))
    return "\n".join(lines) + "\n"


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def choir(graph: Graph, embedder: LocalEmbedder, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[str]:
    """The namespace that the conversation was ingested into."""
    path: Path = tmp_path_factory.mktemp("choir") / "choir.jsonl"
    path.write_text(transcript(), encoding="utf-8")
    namespace = f"test-choir-{path.parent.name}-{datetime.now().timestamp():.0f}"
    read = transcripts.read(path, namespace)
    report = await Ingestion(graph, embedder, RuleExtractor(), Settings()).run(read.sessions, read.problems)
    assert not report.failed
    yield namespace


async def asked(graph: Graph, embedder: LocalEmbedder, namespace: str, question: str, **times: datetime) -> Answer:
    at = times.pop("asked_at", datetime.fromisoformat(ASKED_AT))
    return await ask(graph, embedder, question, namespace=namespace, asked_at=at, **times)


def has_words(text: str, wording: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(wording)}(?!\w)", text, re.IGNORECASE) is not None


@pytest.mark.parametrize(("question", "wordings", "evidence"), QUESTIONS, ids=[q for q, _, _ in QUESTIONS])
async def test_a_question_is_answered_from_the_right_turn_or_not_at_all(
    graph: Graph,
    embedder: LocalEmbedder,
    choir: str,
    question: str,
    wordings: tuple[str, ...],
    evidence: tuple[str, ...],
) -> None:
    answer = await asked(graph, embedder, choir, question)
    if not wordings:
        assert not answer.found, answer.text
        assert answer.text.startswith("The memory does not say")
        assert not answer.citations
        return
    assert answer.found, answer.text
    assert any(has_words(answer.text, wording) for wording in wordings), answer.text
    assert {citation.turn_id for citation in answer.citations} & set(evidence), answer.citations


async def test_every_quotation_stands_where_the_citation_says(
    graph: Graph, embedder: LocalEmbedder, choir: str
) -> None:
    texts = {turn["id"]: turn["text"] for turn in map(json.loads, transcript().splitlines())}
    for question, _, _ in QUESTIONS:
        answer = await asked(graph, embedder, choir, question)
        for citation in answer.citations:
            assert texts[citation.turn_id][citation.start : citation.end] == citation.quote


async def test_what_was_said_later_than_the_time_given_is_not_known(
    graph: Graph, embedder: LocalEmbedder, choir: str
) -> None:
    early = datetime.fromisoformat("2022-12-31T00:00:00+01:00")
    answer = await asked(graph, embedder, choir, "What is Elias allergic to?", said_by=early)
    assert has_words(answer.text, "walnuts")
    assert "hazelnuts" not in answer.text
    assert not (await asked(graph, embedder, choir, "When did Noor buy a rowing boat?", said_by=early)).found


async def test_asking_in_the_past_knows_no_later_turns(graph: Graph, embedder: LocalEmbedder, choir: str) -> None:
    then = datetime.fromisoformat("2022-12-31T00:00:00+01:00")
    answer = await asked(graph, embedder, choir, "Where does Noor work?", asked_at=then)
    assert has_words(answer.text, "Molenkamp Bread")


async def test_what_the_memory_had_not_learned_by_a_time_is_no_fact(
    graph: Graph, embedder: LocalEmbedder, choir: str
) -> None:
    before = datetime.fromisoformat("2020-01-01T00:00:00+00:00")
    answer = await asked(graph, embedder, choir, "Who is Noor's sister?", known_at=before)
    assert answer.facts == ()
    answer = await asked(graph, embedder, choir, "What is Elias allergic to?", known_at=before)
    assert not answer.found
    assert not answer.details["nearest"]


async def test_another_namespace_answers_nothing(graph: Graph, embedder: LocalEmbedder, choir: str) -> None:
    answer = await asked(graph, embedder, choir + "-empty", "Where does Noor live?")
    assert not answer.found
    assert "live" in answer.text


async def test_what_was_taken_back_is_not_the_answer(graph: Graph, embedder: LocalEmbedder, choir: str) -> None:
    answer = await asked(graph, embedder, choir, "How long does the train to the concert take?")
    assert answer.text.startswith("five hours")
    assert answer.citations[0].turn_id == "k5:2"


async def test_an_open_question_quotes_up_to_three_turns(graph: Graph, embedder: LocalEmbedder, choir: str) -> None:
    answer = await asked(graph, embedder, choir, "What do we know about the kayak?")
    assert answer.found
    assert 1 <= len(answer.citations) <= 3
    assert all("kayak" in citation.quote or "Pepper" in citation.quote for citation in answer.citations[:1])


@pytest.mark.parametrize(
    "question", ["C++ (v2): AND/OR?", '"', "*", "???", "¿Dónde vive Noor?", "诺尔住在哪里？", "x " * 600]
)
async def test_any_text_gets_an_answer_and_never_an_error(
    graph: Graph, embedder: LocalEmbedder, choir: str, question: str
) -> None:
    answer = await asked(graph, embedder, choir, question)
    assert answer.text


async def test_an_empty_question_and_a_time_without_offset_are_refused(
    graph: Graph, embedder: LocalEmbedder, choir: str
) -> None:
    with pytest.raises(QuestionError, match="empty"):
        await asked(graph, embedder, choir, "  ")
    with pytest.raises(QuestionError, match="no offset"):
        await asked(graph, embedder, choir, "Where does Noor live?", asked_at=datetime(2024, 1, 1))


async def test_a_line_break_in_a_question_is_a_space(graph: Graph, embedder: LocalEmbedder, choir: str) -> None:
    whole = await asked(graph, embedder, choir, "What is Elias allergic to?")
    broken = await asked(graph, embedder, choir, "What is\nElias  allergic to?")
    assert whole.text == broken.text


@pytest.mark.parametrize(("question", "message"), [("why " * 1500, "6,000 characters"), ("caf\udce9?", "no UTF-8")])
async def test_a_question_that_cannot_be_read_is_refused_with_one_message(
    graph: Graph, embedder: LocalEmbedder, choir: str, question: str, message: str
) -> None:
    with pytest.raises(QuestionError, match=message):
        await asked(graph, embedder, choir, question)
