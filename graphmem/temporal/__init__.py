"""Time expressions: from words to intervals, by a table of rules that can be read and questioned.

Theory of operation
-------------------
``rules.toml`` is the only place that knows words. It lists, for each language, the vocabulary (weekdays, months, units, numbers, holidays),
the cues of tense, and the rules. A rule says what it matches, what it is anchored at, which formula makes the interval, how sure that is,
and gives examples, each of which is run as a test. The Python code knows a closed set of formulas and no words: a second language is a
second section of the table.

``normalise`` works in passes:

1. The words of the text are looked up in an index of what each rule needs. Most turns call up no rule and cost microseconds.
2. The rules that are called up are matched. Of what overlaps the longest stays; its formula computes a *span* in the speaker's naive
   local time, or declines ("in a second"). Where the words leave it open ("on Friday", "in March"), the nearest verb decides: a
   past tense takes the latest, a present or future one the next.
3. Rules that wrap an expression grow it, innermost first, in stages: parts and times of day ("early", "at 5pm"), anchors ("two days
   after"), ranges ("from … to"), open ends ("since", "until"). A bare "May" is kept only if something wraps it.
4. Expressions anchored at the one before ("the next day") are resolved in order of text; without one they stay unresolved.
5. Where the table finds nothing and a day stands beside a month's name of another language, ``dateparser`` reads it, marked as such.
6. Instants are made last, in the speaker's zone: day arithmetic never sees a clock change, and a midnight that the clock skips becomes
   the first moment that exists.

Nothing is ever anchored at the clock of the machine. A vague expression gives a wide interval and a low confidence, never a made-up
date; an ambiguous one keeps its other readings; a recurrence, a duration or an age gives no interval but a formula. Readings on which
people differ are policies with names, and those that took part are stored with what they made.

Modules, low to high: ``units`` and ``algebra`` (dates and intervals, no words), ``expression`` and ``policy`` (records), ``table`` (reads
the rules), ``context`` (tense), ``formulas``, ``clock``, ``around``, ``unplaced``, ``named``, ``feasts``, ``yearly`` (the formulas),
``foreign``, ``normaliser`` (the passes), ``explain``, ``birth``, ``questions``.
"""

from __future__ import annotations

from graphmem.temporal.birth import resolve_with_birth
from graphmem.temporal.explain import Explanation, explain, written
from graphmem.temporal.expression import Expression, Granularity, Kind
from graphmem.temporal.normaliser import normalise
from graphmem.temporal.policy import Policy
from graphmem.temporal.questions import QuestionTime, question_filter, with_event

__all__ = [
    "Explanation",
    "Expression",
    "Granularity",
    "Kind",
    "Policy",
    "QuestionTime",
    "explain",
    "normalise",
    "question_filter",
    "resolve_with_birth",
    "with_event",
    "written",
]
