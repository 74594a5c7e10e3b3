"""Facts with numbers: ages, weights, prices, budgets, versions, serial numbers and tickets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from graphmem.extract.with_rules.amounts import Amount, amounts_in, number_of, versions_in
from graphmem.extract.with_rules.clauses import Clause
from graphmem.extract.with_rules.names import mention_of
from graphmem.extract.with_rules.people import Speech, name_of, owner
from graphmem.extract.with_rules.phrases import told_by
from graphmem.extract.with_rules.standing import Standing, standing_of_change, standing_of_state
from graphmem.extract.with_rules.statements import statement
from graphmem.extract.with_rules.times import Timed
from graphmem.records import FactDraft, Mention

if TYPE_CHECKING:
    from graphmem.extract.with_rules.parse import Token

_PRICED = {
    "budget": "budget",
    "rent": "rent",
    "salary": "salary",
    "wage": "salary",
    "pay": "salary",
    "income": "salary",
}
_CODE = re.compile(r"\b(?=[A-Z0-9-]*\d)[A-Z]{1,6}\d?(?:-[A-Z0-9]{1,8}){1,4}\b")
_MAIL = re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PHONE = re.compile(r"\+?\d[\d\s().-]{6,}\d")


def quantities_of(
    clause: Clause, times: tuple[Timed, ...], timed: frozenset[int], speech: Speech, subject: Mention | None
) -> Iterator[FactDraft]:
    """The facts with numbers that a clause states."""
    first, last = clause.head.left_edge.i, clause.head.right_edge.i
    doc = clause.head.doc
    sentence = clause.sentence
    start, end = (
        doc[max(first, sentence.start)].idx,
        doc[min(last, sentence.end - 1)].idx + len(doc[min(last, sentence.end - 1)]),
    )
    text = doc.text[start:end]
    if subject is not None:
        yield from _age(clause, times, timed, speech, subject)
        if clause.mood == "stated":
            yield from _measured(clause, times, text, start, timed, speech, subject)
    yield from _coded(clause, text, speech)
    if clause.mood == "stated":
        yield from _priced(clause, times, text, speech, subject)
        yield from _versioned(clause, times, text, speech, subject)
        yield from _warranted(clause, text, speech)


def _age(
    clause: Clause, times: tuple[Timed, ...], timed: frozenset[int], speech: Speech, subject: Mention
) -> Iterator[FactDraft]:
    """ "I'm 25", "she's nine years old", "turned 90 on 30 April"."""
    if clause.negated or subject.type not in ("Person", "Animal"):
        return
    lemma = clause.head.lemma_.lower()
    if lemma not in ("be", "turn"):
        return
    for child in clause.head.children:
        if child.i < clause.head.i or child.dep_ not in ("attr", "acomp", "dobj", "npadvmod", "nummod", "oprd"):
            continue
        number = _years(child)
        if number is None or not 0 < number < 120:
            continue
        if lemma == "turn" and clause.outer.dep_ == "advcl" and not any(item.interval for item in times):
            return
        standing = (
            standing_of_change(clause, times, False) if lemma == "turn" else standing_of_state(clause, times, "none")
        )
        if standing is not None:
            yield statement(subject, "age", str(number), clause, speech, standing, typed=number)
        return


def _years(token: Token) -> int | None:
    if token.like_num:
        if token.lower_ == "one" or any(child.dep_ == "prep" for child in token.children):
            return None
        following = token.nbor() if token.i + 1 < token.sent.end else None
        if following is not None and (
            following.pos_ in ("NOUN", "PROPN", "SYM") or following.text in (":", "-", "/", "%")
        ):
            return None
        before = token.nbor(-2) if token.i >= token.sent.start + 2 and token.nbor(-1).text == "-" else None
        value = number_of(token.text if before is None else f"{before.text}-{token.text}")
    elif token.lower_ in ("old", "year-old"):
        numbers = [t for t in token.subtree if t.like_num]
        if not any(t.lemma_ == "year" for t in token.subtree) or not numbers:
            return None
        value = number_of(numbers[0].text)
    elif token.lemma_ == "year" and any(t.lower_ == "old" for t in token.subtree):
        numbers = [t for t in token.subtree if t.like_num]
        value = number_of(numbers[0].text) if numbers else None
    else:
        return None
    return int(value) if value is not None and value == int(value) else None


def _measured(
    clause: Clause,
    times: tuple[Timed, ...],
    text: str,
    offset: int,
    timed: frozenset[int],
    speech: Speech,
    subject: Mention,
) -> Iterator[FactDraft]:
    """ "I weigh 72 kg", "we walked six kilometres"."""
    lemma = clause.head.lemma_.lower()
    for amount in amounts_in(text):
        if amount.money or clause.negated:
            continue
        if lemma == "weigh":
            standing = standing_of_state(clause, times)
            if standing is not None:
                yield statement(
                    subject, "weight", amount.text, clause, speech, standing, typed=amount.number, unit=amount.unit
                )
        elif lemma == "be" and re.match(r"\s*tall\b", text[amount.end :]):
            yield statement(
                subject,
                "height",
                amount.text,
                clause,
                speech,
                Standing("holds", None, None, 0.8),
                typed=amount.number,
                unit=amount.unit,
            )
        elif clause.tense in ("past", "perfect") and lemma not in ("be", "have", "get", "say", "think"):
            standing = standing_of_change(clause, times, False)
            object_here = offset + amount.start > clause.head.idx
            if standing is not None and object_here:
                value = f"{lemma} {amount.text}"
                yield statement(
                    subject, "quantity", value, clause, speech, standing, typed=amount.number, unit=amount.unit
                )


def _priced(
    clause: Clause, times: tuple[Timed, ...], text: str, speech: Speech, subject: Mention | None
) -> Iterator[FactDraft]:
    """ "Our budget is 1,200 euros", "the rent is 650 euros a month", "the tent cost $80", "I pay 45 euros"."""
    money = [amount for amount in amounts_in(text) if amount.money]
    if not money or clause.negated:
        return
    amount = money[-1]
    quote = speech.quote_of(clause.sentence)
    lemma = clause.head.lemma_.lower()
    standing = standing_of_state(clause, times, "holds")
    if standing is None:
        return
    nouns = [clause.subject] if clause.subject is not None else []
    nouns += [child for child in clause.head.children if child.dep_ in ("dobj", "attr")]
    nouns += [grand for noun in list(nouns) for grand in noun.children if grand.dep_ == "compound"]
    for noun in nouns:
        name = _PRICED.get(noun.lemma_.lower())
        if name is not None:
            holder = owner(noun, speech) or speech.speaker
            known = holder in (speech.speaker, speech.addressee)
            whose = Mention(holder, "Person", quote, speaker=holder if known else None)
            yield _money(whose, name, amount, clause, speech, standing)
            return
    if lemma == "earn" and subject is not None:
        yield _money(subject, "salary", amount, clause, speech, standing)
    elif lemma == "cost" and clause.subject is not None:
        thing = _thing(clause.subject, speech)
        if thing is not None:
            yield _money(thing, "costs", amount, clause, speech, standing)
    elif lemma in ("spend", "pay") and subject is not None and clause.tense in ("past", "perfect", "present"):
        yield statement(
            subject,
            "quantity",
            f"{lemma} {amount.text}",
            clause,
            speech,
            standing,
            typed=amount.number,
            unit=amount.unit,
        )


def _money(whose: Mention, name: str, amount: Amount, clause: Clause, speech: Speech, standing: Standing) -> FactDraft:
    return statement(whose, name, amount.text, clause, speech, standing, typed=amount.number, unit=amount.unit)


def _thing(token: Token, speech: Speech) -> Mention | None:
    """A named thing, or somebody's: what costs something has to be told from other things of its kind."""
    known = mention_of(token, speech)
    if known is not None:
        return known
    whose = owner(token, speech)
    if whose is None or token.pos_ != "NOUN":
        return None
    return Mention(
        told_by([token], speech, ""),
        "Product",
        speech.quote(token.idx, token.idx + len(token)),
        attributes=(("owner", whose),),
    )


def _versioned(
    clause: Clause, times: tuple[Timed, ...], text: str, speech: Speech, subject: Mention | None
) -> Iterator[FactDraft]:
    """ "I'm on version 2.4.1", "my colleague updated the firmware to 3.1.2", "all printers are on 3.2.1 now": the speaker's."""
    if clause.negated or (subject is not None and subject.speaker not in (None, speech.speaker)):
        return
    lemma = clause.head.lemma_.lower()
    changing = lemma in ("update", "upgrade", "install", "downgrade", "switch", "put", "move", "go")
    if lemma not in ("be", "have", "use", "run") and not changing:
        return
    if subject is None and re.search(r"\bon (?:version |firmware )?v?\d", text) is None:
        return
    if subject is not None and subject.speaker is None and not changing:
        return
    standing = standing_of_change(clause, times, False) if changing else standing_of_state(clause, times, "ended")
    if standing is None:
        return
    whose = speech.self_mention(speech.quote_of(clause.sentence))
    for version, _, _ in versions_in(text)[-1:]:
        name = "firmware_version" if "firmware" in text.lower() else "uses_version"
        yield statement(whose, name, version, clause, speech, standing)


def _warranted(clause: Clause, text: str, speech: Speech) -> Iterator[FactDraft]:
    """ "The warranty on the L2 is two years": of the named thing, else the speaker's."""
    subject = clause.subject
    if subject is None or subject.lemma_.lower() not in ("warranty", "guarantee") or clause.negated:
        return
    length = re.search(r"\b(\w+)[\s-](years?|months?|days?)\b", text)
    if length is None or number_of(length.group(1)) is None or clause.tense != "present":
        return
    quote = speech.quote_of(clause.sentence)
    things = [token for token in subject.subtree if token.dep_ in ("pobj", "poss") and token.text[0].isupper()]
    whose = Mention(name_of(things[0]), "Product", quote) if things else speech.self_mention(quote)
    yield statement(whose, "warranty", length.group(), clause, speech, Standing("holds", None, None, 0.75))


def _coded(clause: Clause, text: str, speech: Speech) -> Iterator[FactDraft]:
    """Serial numbers, tickets, addresses: a code with the noun that says what it is."""
    lowered = text.lower()
    me = speech.self_mention(speech.quote_of(clause.sentence))
    other = speech.other_mention(speech.quote_of(clause.sentence))
    theirs = re.search(r"\bfor you\b|\byour\b", lowered) is not None
    holder = other if theirs and other is not None else me
    held = Standing("holds", None, None, 0.8)
    if clause.mood not in ("stated", "planned") or clause.negated:
        return
    for match in _CODE.finditer(text):
        before = lowered[max(0, match.start() - 40) : match.start()]
        if "serial" in before:
            yield statement(holder, "serial_number", match.group(), clause, speech, held)
        elif re.search(r"\b(?:ticket|case|order|booking|reference)\b", before):
            code = Mention(match.group(), "Task", speech.quote_of(clause.sentence))
            yield statement(holder, "has_ticket", match.group(), clause, speech, held, value_mention=code)
    if re.search(r"\bmy\b.*\b(?:e-?mail|address)\b", lowered):
        for match in _MAIL.finditer(text):
            yield statement(me, "email", match.group().rstrip("."), clause, speech, held)
    if re.search(r"\bmy\b.*\b(?:number|phone|mobile|cell)\b", lowered) and "serial" not in lowered:
        for match in _PHONE.finditer(text):
            yield statement(me, "phone_number", match.group(), clause, speech, held)
