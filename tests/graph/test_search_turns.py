"""Search over turns on a real server: what it finds, what filters keep out, and that no question breaks it."""

from __future__ import annotations

import unicodedata
from datetime import UTC, datetime, timedelta, timezone

import pytest

from graphmem.errors import QuestionError
from graphmem.graph.batch import Batch
from graphmem.graph.connection import Graph
from graphmem.graph.rows_named import add_alias, add_entity, entity_id
from graphmem.graph.rows_said import add_session, add_turn
from graphmem.graph.write import append, read_head
from graphmem.ids import digest
from graphmem.providers import LocalEmbedder
from graphmem.records import Attachment, Hit, Session, Turn
from graphmem.search import SearchSettings, search_turns
from graphmem.search.candidates import by_words
from graphmem.search.filters import Filter
from graphmem.search.words import content_words
from graphmem.transcripts import searchable_text

SAID = {
    "s1": [
        ("Ana", "I moved to Porto last week, the flat has a view of the river."),
        ("Tom", "Wow! Which floor is it on?"),
        ("Ana", "The fifth, and there is no lift."),
        ("Tom", "My sister Clara bakes sourdough bread every Sunday."),
    ],
    "s2": [
        ("Ana", "Did you finish your C++ (v2.0.1) course?"),
        ("Tom", "Not yet. The exam about templates is on 8 June."),
        ("Ana", "小明喜欢在广州喝早茶。"),
        ("Tom", "Ticket SR-2023-052 is still open, unlike SR-2023-053."),
    ],
    "s3": [
        ("Ana", "I have given up climbing and taken up sailing."),
        ("Tom", "مرحبا، أنا أحب القهوة كثيرا"),
        ("Ana", "José and the café 🎉 are wonderful."),
        ("Tom", "Nothing new here."),
    ],
}
START = datetime(2023, 5, 1, 12, tzinfo=timezone(timedelta(hours=2)))


async def store(
    graph: Graph, embedder: LocalEmbedder, namespace: str, said: dict[str, list[tuple[str, str]]] = SAID
) -> None:
    """Stores sessions two weeks apart, a minute between turns, with their speakers as known people."""
    batch = Batch(namespace)
    for number, (name, turns) in enumerate(said.items()):
        began = START + timedelta(days=14 * number)
        identifier = digest("session", namespace, name)
        add_session(batch, Session(identifier, namespace, name, "test", began, ()))
        for position, (speaker, text) in enumerate(turns):
            shared = (Attachment("image", "a sailing boat"),) if "sailing" in text else ()
            turn = Turn(
                digest("turn", namespace, name, position), namespace, identifier, f"{name}:{position}", position, speaker, text,
                began + timedelta(minutes=position), attachments=shared,
            )  # fmt: skip
            words = searchable_text(turn)
            add_turn(batch, turn, words, embedder.embed_documents([words])[0])
    for speaker in sorted({speaker for turns in said.values() for speaker, _ in turns}):
        person = entity_id(namespace, speaker, "Person")
        add_entity(batch, person, speaker, "Person")
        add_alias(batch, person, speaker, "Person", embedder.embed_documents([speaker])[0])
    await append(graph, batch, await read_head(graph, namespace))


@pytest.fixture(scope="module")
async def memory(graph: Graph, embedder: LocalEmbedder) -> str:
    """A namespace with the three sessions."""
    name = f"test-search-{datetime.now(UTC).timestamp()}"
    await store(graph, embedder, name)
    return name


async def found(graph: Graph, embedder: LocalEmbedder, namespace: str, question: str, **given: object) -> list[Hit]:
    """What a search finds."""
    return await search_turns(graph, embedder, question, namespace=namespace, **given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "turn"),
    [
        ("When did Ana move to Porto?", "s1:0"),
        ("Does Ana have a lift?", "s1:2"),
        ("Who bakes bread?", "s1:3"),
        ("SR-2023-053", "s2:3"),
        ("C++ (v2.0.1): AND/OR?", "s2:0"),
        ("小明喜欢什么？", "s2:2"),
        ("القهوة", "s3:1"),
        ("jose\u0301 cafe\u0301", "s3:2"),
        ("Has Ana given up climbing?", "s3:0"),
        ("a picture of a boat", "s3:0"),
    ],
)
async def test_the_turn_that_answers_comes_first(
    graph: Graph, embedder: LocalEmbedder, memory: str, question: str, turn: str
) -> None:
    assert (await found(graph, embedder, memory, question))[0].turn_id == turn


@pytest.mark.parametrize(
    "question",
    [
        '"', "'", "*", "?", "~", "a/b", "x AND", "NOT", "OR OR", "(((", "[a TO b]", "searchable:x", "+scope:*", "\\", "foo^", "🎉",
        "\u0000", "\ud83d", "the of and", "-", "a" * 30_000, "word " * 500, "喜" * 500, "{!lucene}", "//", "&& ||", "$namespace", "\n\t",
    ],
)  # fmt: skip
async def test_no_question_is_an_error_or_finds_nothing(
    graph: Graph, embedder: LocalEmbedder, memory: str, question: str
) -> None:
    """But for one of white space, which asks nothing and is refused with the reason."""
    if not question.strip():
        with pytest.raises(QuestionError, match="empty"):
            await found(graph, embedder, memory, question)
        return
    hits = await found(graph, embedder, memory, question)
    assert len(hits) == 10


@pytest.mark.parametrize("question", ["", "  "])
async def test_an_empty_question_is_refused_with_the_reason(
    graph: Graph, embedder: LocalEmbedder, memory: str, question: str
) -> None:
    with pytest.raises(QuestionError, match="the question is empty"):
        await found(graph, embedder, memory, question)


async def test_a_hit_says_where_it_stands_and_why(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    hit = (await found(graph, embedder, memory, "When did Ana move to Porto?"))[0]
    assert (hit.session_id, hit.speaker, hit.text) == ("s1", "Ana", SAID["s1"][0][1])
    assert hit.said_at == START
    assert hit.said_at.utcoffset() == timedelta(hours=2)
    assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-4)
    assert {"meaning", "words", "session", "speaker", "time"} <= hit.parts.keys()
    assert hit.parts["speaker"] > 0


async def test_attachments_come_with_the_hit(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    hit = (await found(graph, embedder, memory, "sailing"))[0]
    assert hit.attachments == (Attachment("image", "a sailing boat"),)


async def test_hits_are_in_order_of_score_and_no_more_than_asked_for(
    graph: Graph, embedder: LocalEmbedder, memory: str
) -> None:
    hits = await found(graph, embedder, memory, "What is new?", limit=4)
    assert len(hits) == 4
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


async def test_a_speaker_given_is_a_filter(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    hits = await found(graph, embedder, memory, "When did Ana move to Porto?", speaker="tom", limit=50)
    assert len(hits) == 6
    assert {hit.speaker for hit in hits} == {"Tom"}


async def test_a_speaker_named_in_the_question_is_none(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    hits = await found(graph, embedder, memory, "Does Ana bake sourdough bread?", limit=50)
    assert hits[0].turn_id == "s1:3"
    assert {hit.speaker for hit in hits} == {"Ana", "Tom"}


async def test_a_session_given_is_a_filter_by_its_name_or_its_identifier(
    graph: Graph, embedder: LocalEmbedder, memory: str
) -> None:
    for session in ("s2", digest("session", memory, "s2")):
        hits = await found(graph, embedder, memory, "Porto", session=session)
        assert {hit.turn_id for hit in hits} == {"s2:0", "s2:1", "s2:2", "s2:3"}
    assert await found(graph, embedder, memory, "Porto", session="no such session") == []


async def test_times_are_half_open_and_exact_within_a_day(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    second = START + timedelta(minutes=1)
    hits = await found(graph, embedder, memory, "floor", since=second, until=second + timedelta(minutes=2))
    assert {hit.turn_id for hit in hits} == {"s1:1", "s1:2"}
    hits = await found(graph, embedder, memory, "floor", since=START + timedelta(days=1))
    assert {hit.session_id for hit in hits} == {"s2", "s3"}
    hits = await found(graph, embedder, memory, "floor", until=START)
    assert hits == []


async def test_only_what_had_been_said_by_then(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    """The moment itself included, unlike the end of a period; the earlier of both bounds holds."""
    second = START + timedelta(minutes=1)
    hits = await found(graph, embedder, memory, "floor", said_by=second)
    assert {hit.turn_id for hit in hits} == {"s1:0", "s1:1"}
    hits = await found(graph, embedder, memory, "floor", said_by=second, until=second)
    assert {hit.turn_id for hit in hits} == {"s1:0"}


async def test_a_time_without_offset_is_refused(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    with pytest.raises(QuestionError, match="no offset"):
        await found(graph, embedder, memory, "floor", since=datetime(2023, 5, 1))


@pytest.mark.parametrize("limit", [0, -1])
async def test_a_limit_below_one_is_refused(graph: Graph, embedder: LocalEmbedder, memory: str, limit: int) -> None:
    with pytest.raises(QuestionError, match="limit"):
        await found(graph, embedder, memory, "floor", limit=limit)


async def test_nothing_of_another_namespace_is_found(
    graph: Graph, embedder: LocalEmbedder, memory: str, namespace: str
) -> None:
    assert await found(graph, embedder, namespace, "Who moved to Porto?") == []
    await store(graph, embedder, namespace, {"x": [("Ana", "Porto is far away."), ("Eva", "So it is.")]})
    hits = await found(graph, embedder, namespace, "Ana moved to Porto", limit=50)
    assert {hit.turn_id for hit in hits} == {"x:0", "x:1"}
    assert "x:0" not in {hit.turn_id for hit in await found(graph, embedder, memory, "Porto is far away", limit=50)}


@pytest.mark.parametrize("name", ['quo"te', "a OR scope:*", "*", "ns) OR (x", "ns'; MATCH (n) DETACH DELETE n"])
async def test_a_namespace_may_be_called_anything(
    graph: Graph, embedder: LocalEmbedder, namespace: str, name: str
) -> None:
    odd = f"{namespace}{name}"
    await store(graph, embedder, odd, {"x": [("Ana", "Porto is far away.")]})
    assert [hit.turn_id for hit in await found(graph, embedder, odd, "Porto", limit=50)] == ["x:0"]


async def test_a_revised_turn_is_left_out_and_its_revision_found(
    graph: Graph, embedder: LocalEmbedder, namespace: str
) -> None:
    await store(graph, embedder, namespace, {"x": [("Ana", "I moved to Porto."), ("Tom", "When?")]})
    session = digest("session", namespace, "x")
    batch = Batch(namespace)
    revised = Turn(digest("revision", namespace), namespace, session, "x:0", 0, "Ana", "I moved to Faro.", START)
    words = searchable_text(revised)
    add_turn(batch, revised, words, embedder.embed_documents([words])[0], replaces=digest("turn", namespace, "x", 0))
    await append(graph, batch, await read_head(graph, namespace))
    for question in ("Where did Ana move, to Porto?", "Porto"):
        texts = [hit.text for hit in await found(graph, embedder, namespace, question)]
        assert texts[0] == "I moved to Faro."
        assert "I moved to Porto." not in texts


async def test_ranks_can_be_fused_instead_of_scores(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    settings = SearchSettings(fusion="reciprocal_rank")
    hit = (await found(graph, embedder, memory, "Who bakes bread?", settings=settings))[0]
    assert hit.turn_id == "s1:3"
    assert "fused" in hit.parts


async def test_a_weight_of_zero_turns_a_stage_off(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    off = SearchSettings(
        session_weight=0, event_weight=0, speaker_weight=0, question_weight=0, time_weight=0, asked_time_weight=0
    )
    hit = (await found(graph, embedder, memory, "When did Ana move to Porto?", settings=off))[0]
    assert hit.score == pytest.approx(hit.parts["meaning"] + hit.parts["words"], abs=1e-4)


@pytest.fixture
def older(graph: Graph) -> Graph:
    """The same server, taken for one without the SEARCH clause."""
    return Graph(graph._driver, graph.database, f"{graph.uri}/older", (5, 26))


async def test_a_server_without_the_search_clause_gives_the_same_turns_and_says_so_once(
    graph: Graph, older: Graph, embedder: LocalEmbedder, namespace: str, caplog: pytest.LogCaptureFixture
) -> None:
    await store(graph, embedder, namespace)
    for question in ("Who bakes bread?", "Did Ana move to Porto?"):
        new = await found(graph, embedder, namespace, question, limit=50, speaker="Tom")
        old = await found(older, embedder, namespace, question, limit=50, speaker="Tom")
        assert [hit.turn_id for hit in old] == [hit.turn_id for hit in new]
    assert [record.levelname for record in caplog.records if "SEARCH clause" in record.getMessage()] == ["WARNING"]


async def test_another_name_of_a_speaker_stands_for_the_speaker(
    graph: Graph, embedder: LocalEmbedder, namespace: str
) -> None:
    await store(
        graph, embedder, namespace, {"x": [("Elizabeth Gray", "I sold the boat."), ("Tom", "I sold the boat.")]}
    )
    batch = Batch(namespace)
    add_alias(batch, entity_id(namespace, "Elizabeth Gray", "Person"), "Liz", "Person", embedder.embed_query("Liz"))
    await append(graph, batch, await read_head(graph, namespace))
    for name in ("Liz", "elizabeth", "Elizabeth Gray"):
        hits = await found(graph, embedder, namespace, f"What did {name} sell?")
        assert [hit.speaker for hit in hits] == ["Elizabeth Gray", "Tom"]
        assert hits[0].parts["speaker"] > 0


async def test_a_name_that_two_speakers_bear_stands_for_neither(
    graph: Graph, embedder: LocalEmbedder, namespace: str
) -> None:
    await store(graph, embedder, namespace, {"x": [("Ana Gray", "I sold the boat."), ("Ana Lima", "I sold it.")]})
    hits = await found(graph, embedder, namespace, "What did Ana sell?")
    assert {hit.parts["speaker"] for hit in hits} == {0}


async def test_speakers_decided_to_be_one_person_are_one_to_a_question_until_it_is_undone(
    graph: Graph, embedder: LocalEmbedder, namespace: str
) -> None:
    said = {"x": [("Liz", "I sold the boat."), ("Tom", "I sold it.")], "y": [("Elizabeth", "I sold the boat.")]}
    await store(graph, embedder, namespace, said)
    liz, elizabeth = (entity_id(namespace, name, "Person") for name in ("Liz", "Elizabeth"))

    async def gaining() -> list[str]:
        hits = await found(graph, embedder, namespace, "What did Liz sell?")
        return sorted(hit.speaker for hit in hits if hit.parts["speaker"] > 0)

    async def decide(kind: str, when: str) -> None:
        batch = Batch(namespace)
        batch.edge("Entity", liz, kind, "Entity", elizabeth, when, decided_by="person", decided_at=when, reason="")
        await append(graph, batch, await read_head(graph, namespace))

    assert await gaining() == ["Liz"]
    await decide("SAME_AS", "2024-01-01")
    assert await gaining() == ["Elizabeth", "Liz"]
    await decide("DISTINCT_FROM", "2024-01-02")
    assert await gaining() == ["Liz"]


async def test_a_time_in_the_question_counts_for_its_turns(graph: Graph, embedder: LocalEmbedder, memory: str) -> None:
    hits = await found(graph, embedder, memory, "What was said on 15 May 2023?", limit=50)
    assert {hit.session_id for hit in hits if hit.parts["dated"] == pytest.approx(0.2)} == {"s2"}
    asked = START + timedelta(days=15)
    hits = await found(graph, embedder, memory, "What was said yesterday?", limit=50, asked_at=asked)
    assert {hit.session_id for hit in hits if hit.parts["dated"] == pytest.approx(0.2)} == {"s2"}


async def test_a_small_memory_beside_a_large_one_finds_all_it_has(
    graph: Graph, embedder: LocalEmbedder, namespace: str
) -> None:
    """Many turns of the same words in another namespace crowd nothing out."""
    vector = embedder.embed_documents(["I moved to Porto."])[0]
    other = f"{namespace}-large"
    session = digest("session", other, "x")
    batch = Batch(other)
    add_session(batch, Session(session, other, "x", "test", START, ()))
    for position in range(2000):
        turn = Turn(
            digest("turn", other, position),
            other,
            session,
            f"x:{position}",
            position,
            "Ana",
            "I moved to Porto.",
            START,
        )
        add_turn(batch, turn, "Ana: I moved to Porto.", vector)
    await append(graph, batch, await read_head(graph, other))
    await store(
        graph, embedder, namespace, {"x": [("Ana", text) for text in ("I moved to Porto.", "a", "b", "c", "d")]}
    )
    hits = await found(graph, embedder, namespace, "Who moved to Porto?")
    assert {hit.turn_id for hit in hits} == {f"x:{position}" for position in range(5)}
    assert hits[0].turn_id == "x:0"


async def test_full_text_is_asked_for_what_the_filter_keeps_and_for_nothing_else(graph: Graph, memory: str) -> None:
    """A filter that works after the index would let others' turns take the places of those that are wanted."""
    session = digest("session", memory, "s3")
    begins = datetime(2023, 5, 29, tzinfo=UTC)
    ends = begins + timedelta(days=1)
    for chosen, expected in (
        (Filter(memory), {(name, place) for name in SAID for place in range(4)}),
        (Filter(memory, speaker="Ana"), {(name, place) for name in SAID for place in (0, 2)}),
        (Filter(memory, session_id=session), {("s3", place) for place in range(4)}),
        (Filter(memory, begins, ends), {("s3", place) for place in range(4)}),
    ):
        rows = await by_words(graph, ["ana", "tom"], chosen, SearchSettings(text_candidates=len(expected)))
        names = {digest("session", memory, name): name for name in SAID}
        assert {(names[row["session_id"]], row["position"]) for row in rows} == expected


@pytest.mark.parametrize(("stored", "asked"), [("NFC", "NFD"), ("NFD", "NFC")])
async def test_full_text_finds_a_word_whichever_form_its_letters_were_stored_in(
    graph: Graph, embedder: LocalEmbedder, namespace: str, stored: str, asked: str
) -> None:
    await store(
        graph, embedder, namespace, {"x": [("Ana", unicodedata.normalize(stored, "Olá, José!")), ("Tom", "Olá.")]}
    )
    words = content_words(unicodedata.normalize(asked, "José"))
    [row] = await by_words(graph, words, Filter(namespace), SearchSettings())
    assert row["position"] == 0
