"""Events that a question hangs on where the answer names them itself, and offers that say nothing or are the reply to the question."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from spacy.tokens import Doc

from graphmem.answer.choice import Choice
from graphmem.answer.choose import choose
from graphmem.answer.match import match, tells_anchor
from graphmem.answer.offers import offer_of
from graphmem.answer.plan import Name, Plan, plan
from graphmem.answer.reading import sentences_of, statements_of
from graphmem.answer.statements import Statement
from graphmem.extract.with_rules.parse import parse
from graphmem.records import Hit

NAMES = tuple(Name(name, name, "Person") for name in ("Ida", "Otto"))
START = datetime.fromisoformat("2023-05-10T12:00:00+02:00")
AT = START + timedelta(weeks=30)

Turn = tuple[str, str]


def chosen(question: str, *turns: Turn) -> Choice | None:
    """The choice among turns of sessions a week apart."""
    hits = [
        Hit(f"t{n}", f"k{n}:1", f"k{n}", speaker, START + timedelta(weeks=n), text, 1.0)
        for n, (speaker, text) in enumerate(turns)
    ]
    return choose(asking(question), statements_of(hits), AT)


def replied(question: str, *turns: Turn) -> Choice | None:
    """The choice among turns of one talk."""
    hits = [
        Hit(f"t{n}", f"k1:{n}", "k1", speaker, START + timedelta(minutes=n), text, 1.0)
        for n, (speaker, text) in enumerate(turns)
    ]
    return choose(asking(question), statements_of(hits, {hit.id: ("k1", n) for n, hit in enumerate(hits)}), AT)


def one(speaker: str, said: str) -> Statement:
    [found] = statements_of([Hit("t", "k1:1", "k1", speaker, START, said, 1.0)])
    return found


def asking(question: str) -> Plan:
    return plan(question, AT, [name for name in NAMES if name.text in question])


def cited(found: Choice | None) -> str | None:
    return None if found is None else found.citations[0].turn_id


MARSH = ("Ida", "On our canoe trip last year we saw the otters.")
HERON = ("Ida", "We saw a heron from the train today.")


def test_what_names_the_event_itself_happened_during_it() -> None:
    question = "What did Ida see during her canoe trip last year?"
    assert cited(chosen(question, HERON, MARSH)) == "k1:1"
    assert cited(chosen(question, MARSH, HERON)) == "k0:1"
    told = [tells_anchor(one(*turn), asking(question)) for turn in (MARSH, HERON)]
    assert told == [True, False]


def test_what_is_told_in_one_phrase_with_the_event_comes_first() -> None:
    turns = (
        ("Ida", "Baking with Otto after a long shift is what I enjoy."),
        ("Ida", "It was a long shift at the mill today."),
        ("Ida", "I enjoy chess with Otto."),
    )
    assert cited(chosen("What does Ida enjoy with Otto after a long shift?", *turns)) == "k0:1"


def test_when_something_was_done_is_not_the_time_of_something_else_about_it() -> None:
    turns = (("Ida", "I applied to the sailing academy!"), ("Ida", "I passed the sailing academy exam last Friday!"))
    found = chosen("When did Ida apply to the sailing academy?", *turns)
    assert found is not None
    assert (found.short, cited(found)) == ("by 10 May 2023", "k0:1")


def test_off_to_a_place_is_leaving_for_it() -> None:
    found = chosen("When will Ida leave for Sweden?", ("Ida", "On 3 June I'm off to Sweden for a term."))
    assert found is not None
    assert found.short == "3 June 2023"


SAYS_NOTHING = (
    ("What does Ida take care of?", "I take care of something like this."),
    ("What did Ida visit?", "I visited this place."),
    ("Which books has Ida read?", "I've read some other books."),
)


@pytest.mark.parametrize(("question", "said"), SAYS_NOTHING, ids=[said for _, said in SAYS_NOTHING])
def test_what_only_points_or_repeats_the_question_is_no_answer(question: str, said: str) -> None:
    assert offer_of(one("Ida", said), asking(question)) is None


WHO = (
    ("Who did Ida invite to the concert?", "I invited my former night shift mate to the concert.", "my former night shift mate"),
    ("Who taught Ida to sail?", "My aunt Runa taught me to sail.", "Runa"),
)  # fmt: skip


@pytest.mark.parametrize(("question", "said", "wanted"), WHO, ids=[said for _, said, _ in WHO])
def test_somebody_is_told_by_name_or_by_what_they_are(question: str, said: str, wanted: str) -> None:
    offer = offer_of(one("Ida", said), asking(question))
    assert offer is not None
    assert offer.text == wanted


def test_nobody_is_called_by_a_cry() -> None:
    offer = offer_of(one("Ida", "Man, the phone rang at six."), asking("Whose phone rang?"))
    assert offer is None or offer.text != "Man"


def test_the_reply_to_the_same_question_need_not_repeat_its_words() -> None:
    turns = (("Otto", "How long have you worked with clay?"), ("Ida", "Seven years now! It calms me."))
    found = replied("How long has Ida been practising with clay?", *turns)
    assert found is not None
    assert found.short == "Seven years"
    assert found.notes == ()


def test_the_reply_to_another_question_answers_where_it_says_all_that_is_asked() -> None:
    turns = (
        ("Otto", "Who is the girl on the left of the boat?"),
        ("Ida", "She is an old neighbour who helped me to restore the engine."),
    )
    found = replied("Who helped Ida to restore the engine?", *turns)
    assert found is not None
    assert found.short == "an old neighbour"


def parted(tags: str, text: str) -> Doc:
    """A text with its parts of speech as a parser leaves it that parts the sentence where "|" stands."""
    words, pos = text.split(), [tag for tag in tags.split() if tag != "|"]
    kept = [word for word in words if word != "|"]
    starts = [at > 0 and words[at - 1] == "|" for at, word in enumerate(words) if word != "|"]
    return Doc(parse("x").vocab, words=kept, pos=pos, sent_starts=[True, *starts[1:]])


def test_a_subject_that_the_parser_parts_from_its_verb_goes_with_it() -> None:
    doc = parted("DET NOUN | CCONJ PRON VERB ADP DET NOUN", "My aunt | and I rowed to the mill")
    assert [span.text for span in doc.sents] == ["My aunt", "and I rowed to the mill"]
    assert [span.text for span in sentences_of(doc)] == ["My aunt and I rowed to the mill"]


def test_sentences_with_verbs_of_their_own_stay_two() -> None:
    assert len(sentences_of(parted("PRON VERB NOUN | CCONJ PRON VERB NOUN", "I baked bread | and I sold bread"))) == 2


COUNTS_NOTHING = ("Ever since I was ten I have liked bees.", "One of my favourites is the old one.")


@pytest.mark.parametrize("said", COUNTS_NOTHING)
def test_an_age_and_one_of_several_count_nothing(said: str) -> None:
    assert offer_of(one("Ida", said), asking("How many hives does Ida have?")) is None
    told = offer_of(one("Ida", "I have four now."), asking("How many hives does Ida have?"))
    assert told is not None
    assert told.text == "four"


def test_what_is_mine_is_not_anothers() -> None:
    question = asking("When did Ida's mother retire?")
    assert match(one("Ida", "Otto, my mother retired on 3 May."), question).subject == 0.9
    assert match(one("Otto", "Ida, my mother retired on 3 May."), question).subject == 0.0


def test_you_know_is_said_of_nobody() -> None:
    assert "otto" not in last_of_talk("Can you believe it, four years!").about
    assert "otto" in last_of_talk("Can you lend me a spade?").about


def last_of_talk(said: str) -> Statement:
    hits = [
        Hit(f"t{n}", f"k1:{n}", "k1", s, START, t, 1.0) for n, (s, t) in enumerate((("Otto", "Hm."), ("Ida", said)))
    ]
    return statements_of(hits, {hit.id: ("k1", n) for n, hit in enumerate(hits)})[-1]


def test_what_is_paid_for_one_thing_is_not_the_price_of_another() -> None:
    assert chosen("How much does the dance school pay Ida?", ("Ida", "We pay 850 euros for the flat.")) is None


def test_the_size_of_a_group_is_how_many_belong_to_it() -> None:
    offer = offer_of(one("Ida", "We are twelve people at the studio."), asking("How big was the team when Ida joined?"))
    assert offer is not None
    assert offer.text == "twelve people"


def test_what_is_given_need_not_be_told_again() -> None:
    terms = asking("Who can open the parcel, given that Ida is away on Fridays?").terms
    assert {term.text for term in terms if not term.aside} == {"open", "parcel"}


FELL = ("Ida", "Otto fell in the kitchen last Saturday and broke his hip.")
OLDER = ("Ida", "Otto came home last week! Otto turned 90 yesterday.")


def test_an_age_told_at_another_time_is_only_what_comes_nearest() -> None:
    question = "How old was Otto when he broke his hip?"
    then = chosen(question, FELL, ("Ida", "Otto turned 89 on Sunday."))
    assert then is not None
    assert (then.short, then.notes) == ("89", ())
    later = chosen(question, FELL, *[("Ida", "It rained.")] * 12, OLDER)
    assert later is None or later.short is None


def test_who_thinks_of_a_wedding_need_not_be_married() -> None:
    found = chosen("Is Ida married?", ("Ida", "I'm still thinking of that wedding cake."))
    assert found is None or found.short is None
    sure = chosen("Is Ida married?", ("Ida", "I am married, yes."))
    assert sure is not None
    assert sure.short == "Yes"


def test_a_status_has_no_name() -> None:
    said = "Firmware Brixel is the cause of ticket K-12."
    assert offer_of(one("Ida", said), asking("What is the status of ticket K-12?")) is None


def test_kin_is_called_by_name() -> None:
    offer = offer_of(one("Ida", "My fiancé is called Jory."), asking("Who is Ida going to marry?"))
    assert offer is not None
    assert offer.text == "Jory"
