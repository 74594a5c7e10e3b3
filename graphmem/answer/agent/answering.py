"""The answer of a model, and what may be believed of it: citations are checked against what the tools returned, and against the claim."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from graphmem.answer.agent.arguments import Arguments
from graphmem.answer.agent.claims import Claim, claim_of, mentions, unmentioned
from graphmem.answer.agent.plan import AgentPlan
from graphmem.answer.agent.quoting import place
from graphmem.answer.agent.rows import quoted
from graphmem.answer.agent.sources import Source, Sources, same_words
from graphmem.answer.choice import Choice
from graphmem.answer.compose import answer_text, day_text
from graphmem.answer.words import stems_of
from graphmem.errors import QuestionError
from graphmem.graph.read_changes import Conflict
from graphmem.moments import as_moment
from graphmem.records import Answer, Citation, FactView, Interval

LONGEST_QUOTE = 300
"""Characters of a turn that are cited where the model gives no words of it."""
_ENDS = ".!?。！？؟\n"


class CitedReply(BaseModel):
    """A citation as the model gives it."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    source: str = Field(description="handle")
    quote: str = Field("", description="words copied from it")


class AnswerArguments(Arguments):
    """The final answer as the model gives it, by the tool ``answer`` or as JSON. The prompt says what each field is."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    found: bool
    answer: str = ""
    citations: tuple[CitedReply, ...] = ()
    facts: tuple[str, ...] = ()
    start: str | None = None
    end: str | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer after its check: what stands of it, and what is wrong with the rest, as the model is told."""

    reply: AnswerArguments
    citations: tuple[Citation, ...]
    facts: tuple[FactView, ...]
    problems: tuple[str, ...]

    @property
    def supported(self) -> bool:
        """Whether it can be given as it is."""
        return not self.problems and (bool(self.citations) or not self.reply.found)


def check(reply: AnswerArguments, sources: Sources, question: str, until: datetime) -> Checked:
    """Checks the citations of an answer: that tools returned their sources, that the words stand there, were said by the time asked, and
    have to do with what is claimed. An answer without a sound citation has a problem as well."""
    if not reply.found:
        return Checked(reply, (), (), ())
    claim = claim_of(reply.answer, question)
    problems: list[str] = []
    sound: list[Citation] = []
    for cited in reply.citations:
        outcome = _citation(cited, sources, claim, until)
        if isinstance(outcome, str):
            problems.append(outcome)
        elif outcome not in sound:
            sound.append(outcome)
    facts: list[FactView] = []
    for reference in reply.facts:
        source = sources.find(reference)
        if source is None or source.kind not in ("fact", "event"):
            problems.append(f"facts names {quoted(reference[:40])}, which is no fact that a tool returned.")
        elif source.fact is not None:
            facts.append(source.fact)
    missing = (
        unmentioned(claim, [(each.quote, each.speaker, *_read_in(each, sources)) for each in sound])
        if sound
        else frozenset()
    )
    if missing:
        shown = ", ".join(word for word in reply.answer.split() if set(stems_of(word)) & missing)
        problems.append(
            f"No quotation mentions {quoted(shown)}: quote words that do, or answer only what the quotations say."
        )
        if missing == claim.specific:
            sound = []
    if not reply.answer.strip():
        problems.append("answer is empty.")
    if not reply.citations:
        problems.append(
            "There is no citation: cite the handle (t, q, f or v) and copy the words that say it, or answer with found false."
        )
    return Checked(reply, tuple(sound), tuple(dict.fromkeys(facts)), tuple(problems))


def told(checked: Checked) -> str:
    """What the model is told, once, about an answer that does not hold."""
    listed = "\n".join(f"- {each}" for each in checked.problems)
    return (
        f"The answer is not taken yet:\n{listed}\n"
        "Mend it and call answer again (search first if words are missing). What is still unsound then is dropped."
    )


def conclude(
    checked: Checked,
    sources: Sources,
    plan: AgentPlan,
    question: str,
    searched: Sequence[str],
    zone: tzinfo,
    details: dict[str, Any],
) -> Answer:
    """The answer object. Without a sound citation it is an abstention; ``details`` gets ``short``, ``flags`` and ``conflicts``."""
    reply = checked.reply
    flags = list(checked.problems)
    if not reply.found or not checked.citations or not reply.answer.strip():
        if reply.found:
            details |= {"unsupported": reply.answer}
        return abstention(
            question, plan, reply.answer if not reply.found else "", searched, details | {"flags": tuple(flags)}
        )
    facts = tuple(dict.fromkeys((*checked.facts, *_facts_of(checked.citations, sources, reply.answer))))
    stated, wrong = _stated_time(reply, zone)
    flags += wrong
    time = stated or (facts[0].valid if len(facts) == 1 else plan.time)
    conflicts = _conflicts(facts, checked.citations, reply.answer, sources)
    notes = tuple(conflict_note(each) for each in conflicts)
    short = reply.answer.strip()
    choice = Choice(plan.form, short, checked.citations, notes=notes)
    return Answer(
        question,
        answer_text(choice),
        True,
        plan.form,
        citations=checked.citations,
        facts=facts,
        events=tuple(
            dict.fromkeys(source.event for source in _events_of(checked.citations, sources) if source.event is not None)
        ),
        time=time,
        searched=tuple(searched),
        details=details | {"short": short, "flags": tuple(flags), "conflicts": notes},
    )


def abstention(
    question: str, plan: AgentPlan, missing: str, searched: Sequence[str], details: dict[str, Any]
) -> Answer:
    """That the memory does not say, what is missing, and what was searched."""
    about = ", ".join(dict.fromkeys(plan.targets)) or question.strip()
    tried = f" Searched: {'; '.join(searched)}." if searched else ""
    reason = f" {missing.strip()}" if missing.strip() else ""
    text = f"The memory does not say: {question.strip()}{reason} Looked for: {about}.{tried}"
    return Answer(question, text, False, plan.form, searched=tuple(searched), details={"short": None, **details})


def conflict_note(conflict: Conflict) -> str:
    """What won, what lost, and why."""
    won, lost = conflict.preferred, conflict.other
    said = max(lost.evidence, key=lambda each: each.said_at) if lost.evidence else None
    where = f", said by {said.speaker} on {day_text(said.said_at)}" if said is not None else ""
    denied = {"holds": "", "ended": " has ended", "denied": " is not so"}
    return (
        f"In conflict: “{lost.value}”{denied[lost.polarity]}{where}; “{won.value}”{denied[won.polarity]} counts"
        f" (because: {conflict.because})."
    )


def _citation(cited: CitedReply, sources: Sources, claim: Claim, until: datetime) -> Citation | str:
    """The citation in full, or what is wrong with it."""
    source = sources.find(cited.source)
    name = quoted(cited.source[:40])
    if source is None:
        return f"{name} was returned by no tool; cite a handle that stands in an observation."
    if not source.words:
        return f"{name} carries no words; cite a turn (t) or a quotation (q)."
    found = _words(cited.quote, source) or (_elsewhere(cited.quote, sources) if cited.quote.strip() else None)
    if found is None and not cited.quote.strip():
        found = _fitting(source, claim)
    if found is None:
        return f"{quoted(cited.quote[:120])} does not stand in {name}; copy the words exactly as they are."
    if found.said_at > until:
        return f"{name} was said after the time asked about."
    if not mentions(claim, found.quote, _read_in(found, sources)):
        return f"{quoted(found.quote[:120])} ({name}) does not mention what is claimed; quote the words that say it."
    return found


def _words(quote: str, source: Source) -> Citation | None:
    """The stretch of a source's words that a quotation is."""
    for words in source.words:
        where = place(quote, words.quote)
        if where is not None:
            return part_of(words, *where)
    return None


def _elsewhere(quote: str, sources: Sources) -> Citation | None:
    """The same words where they do stand, if only one turn that was returned has them: a handle mistaken for another."""
    found = [words for source in sources.all if (words := _words(quote, source)) is not None]
    turns = {(words.session_id, words.turn_id) for words in found}
    return found[0] if len(turns) == 1 else None


def _fitting(source: Source, claim: Claim) -> Citation:
    """Of a source cited without words: the quotation, or the sentences of a turn, that share most with the claim."""
    best = max(source.words, key=lambda each: len((claim.new | claim.asked) & set(stems_of(each.quote))))
    if len(best.quote) <= LONGEST_QUOTE:
        return best
    spans = _sentences(best.quote)
    start, end = max(
        spans, key=lambda each: len((claim.new | claim.asked) & set(stems_of(best.quote[each[0] : each[1]])))
    )
    return part_of(best, start, min(end, start + LONGEST_QUOTE))


def part_of(words: Citation, start: int, end: int) -> Citation:
    """A stretch of a citation's words as a citation."""
    return replace(words, quote=words.quote[start:end], start=words.start + start, end=words.start + end)


def _sentences(text: str) -> list[tuple[int, int]]:
    found, begin = [], 0
    for at, ch in enumerate(text):
        if ch in _ENDS and (at + 1 == len(text) or text[at + 1].isspace() or ch not in ".!?"):
            found.append((begin, at + 1))
            begin = at + 1
    if text[begin:].strip():
        found.append((begin, len(text)))
    return [
        (start + len(text[start:end]) - len(text[start:end].lstrip()), end)
        for start, end in found
        if text[start:end].strip()
    ]


def _read_in(citation: Citation, sources: Sources) -> tuple[str, ...]:
    """What was read in a citation's words: values of facts and summaries of events that rest on them."""
    facts = [f"{fact.property.replace('_', ' ')} {fact.value}" for fact in sources.facts_of(citation)]
    events = [source.event.summary for source in _events_of((citation,), sources) if source.event is not None]
    return (*facts, *events)


def _events_of(citations: Sequence[Citation], sources: Sources) -> tuple[Source, ...]:
    return tuple(
        source
        for source in sources.all
        if source.event is not None
        and any(same_words(words, cited) for words in source.event.evidence for cited in citations)
    )


def _facts_of(citations: Sequence[Citation], sources: Sources, answer: str) -> list[FactView]:
    """The facts that rest on the cited words and say what the answer says."""
    stems = set(stems_of(answer))
    every = [fact for cited in citations for fact in sources.facts_of(cited)]
    return [fact for fact in every if fact.polarity == "holds" and set(stems_of(fact.value)) & stems]


def _conflicts(
    facts: Sequence[FactView], citations: Sequence[Citation], answer: str, sources: Sources
) -> tuple[Conflict, ...]:
    """The disagreements in which a fact of the answer takes part, or a statement that rests on the cited words and that it repeats."""
    ids = {fact.id for fact in facts} | {lost.id for fact in facts for lost in fact.conflicts}
    stems = set(stems_of(answer))

    def repeated(fact: FactView) -> bool:
        own = any(same_words(words, cited) for words in fact.evidence for cited in citations)
        return own and not stems.isdisjoint(stems_of(fact.value))

    return tuple(
        each
        for each in sources.conflicts
        if any(fact.id in ids or repeated(fact) for fact in (each.preferred, each.other))
    )


def _stated_time(reply: AnswerArguments, zone: tzinfo) -> tuple[Interval | None, list[str]]:
    """The time that the answer speaks for, as the model gives it; a time that cannot be read is flagged and left out."""
    try:
        start, end = as_moment(reply.start or None, zone, "start"), as_moment(reply.end or None, zone, "end")
    except QuestionError as exc:
        return None, [str(exc)]
    if start is None and end is None:
        return None, []
    if start is not None and end is not None and end < start:
        return None, [f"start {reply.start} lies after end {reply.end}."]
    dates_only = all("T" not in (text or "") for text in (reply.start, reply.end))
    return Interval(start, end, "day" if dates_only else "instant", start is not None, end is not None), []
