"""Scores the normaliser on a folder of TimeML files, such as TempEval-3's platinum set. The data is not part of this project.

    python benchmarks/time_tempeval.py path/to/te3-platinum [--misses]

The task (UzZaman et al., "SemEval-2013 Task 1: TempEval-3", section 4) is to find each TIMEX3 and its value. A predicted expression
matches a gold one if the two overlap (relaxed) or are the same stretch (strict); *value F1* counts only relaxed matches whose value is
the same string. The document's own creation time is given, not found, and is not counted.

TimeML values are not intervals: "three years" is P3Y, "early December" is December with a modifier, "recently" is PAST_REF.
``value_of`` puts our intervals into that notation; it is the only part that knows it.
"""

from __future__ import annotations

import argparse
import datetime as dt
import html
import re
from dataclasses import dataclass
from pathlib import Path

from graphmem.records import Interval
from graphmem.temporal import Expression, normalise

POLICY: dict[str, str | int] = {"same_weekday": "today", "unstated_year": "nearest"}
"""A newspaper's "Friday" is the day of a report dated Friday, and its "Nov. 16" is the nearest one."""

_TAG = re.compile(r"<(/?)(\w+)([^>]*)>")
_RANGE = re.compile(
    r"(?:(?:from|between|to|and|through|until)\s+)?(.+?)(?=\s*(?:\bto\b|\band\b|\bthrough\b|\buntil\b|-|$))"
)
_SEASONS = {3: "SP", 6: "SU", 9: "FA", 12: "WI"}
_PARTS = {5: "MO", 11: "MI", 12: "AF", 18: "EV"}
_DAYS = {"MO": 1, "TU": 2, "WE": 3, "TH": 4, "FR": 5, "SA": 6, "SU": 7}


@dataclass(frozen=True, slots=True)
class Timex:
    """A stretch of text and its value in TimeML."""

    start: int
    end: int
    value: str


def read(path: Path) -> tuple[str, dt.datetime, list[Timex]]:
    """The text of a TimeML file, its creation time, and its gold expressions."""
    whole = path.read_text(encoding="utf-8")
    created = re.search(r'<DCT>.*?value="([^"]+)"', whole, re.DOTALL)
    body = re.search(r"<TEXT>(.*?)</TEXT>", whole, re.DOTALL)
    if created is None or body is None:
        raise SystemExit(f"{path} is not TimeML: it has no DCT or no TEXT")
    text, gold, open_at, value, last = "", [], 0, "", 0
    for tag in _TAG.finditer(body.group(1)):
        text += html.unescape(body.group(1)[last : tag.start()])
        last = tag.end()
        if tag.group(2) == "TIMEX3":
            if tag.group(1):
                gold.append(Timex(open_at, len(text), value))
            else:
                found = re.search(r'value="([^"]*)"', tag.group(3))
                open_at, value = len(text), "" if found is None else found.group(1)
    text += html.unescape(body.group(1)[last:])
    stamp = created.group(1)
    return text, dt.datetime.fromisoformat(stamp if "T" in stamp else stamp[:10] + "T12:00"), gold


def timexes(found: Expression, created: dt.datetime) -> list[Timex]:
    """An expression as TimeML counts it: a range is two expressions."""
    if not found.rule.startswith("en.range"):
        return [Timex(found.start, found.end, value_of(found))]
    ends = []
    for part in _RANGE.finditer(found.text):
        words = part.group(1).strip(" -")
        inner = [
            e
            for lead in ("on ", "in ")
            for e in normalise(lead + words, created, POLICY)
            if e.end - e.start >= len(words) - 2
        ]
        if inner:
            ends.append(Timex(found.start + part.start(1), found.start + part.end(1), value_of(inner[0])))
    return ends or [Timex(found.start, found.end, value_of(found))]


def value_of(found: Expression) -> str:
    """The value of an expression in TimeML."""
    if found.kind == "recurrence":
        return _recurrence(found.formula or "")
    if found.formula is not None:
        vague = re.fullmatch(r"(PT?)(\d+)([A-Z])\.\.\1(\d+)\3", found.formula)
        return f"{vague.group(1)}X{vague.group(3)}" if vague is not None else found.formula.split(" ")[0]
    if found.rule.startswith("en.vague"):
        return "FUTURE_REF" if found.rule == "en.vague.soon" else "PAST_REF"
    interval = found.starts or found.ends or found.interval
    if interval is None:
        return found.formula or ""
    if interval.start is None or interval.end is None:
        edge = interval.end or interval.start
        return (
            ""
            if edge is None
            else _dated(edge if interval.start else edge - dt.timedelta(seconds=1), str(found.granularity))
        )
    if found.granularity == "range":
        return _smallest(interval, found.text)
    if found.granularity == "week" and found.alternatives and found.alternatives[0].start is not None:
        calendar = found.alternatives[0].start
        return _dated(
            calendar if calendar.weekday() == 0 else interval.start + (interval.end - interval.start) / 2, "week"
        )
    night = found.granularity == "part_of_day" and interval.end.hour < 12
    return _dated(interval.start, "night" if night else str(found.granularity))


def _dated(start: dt.datetime, granularity: str) -> str:
    year, week, _ = start.isocalendar()
    if granularity == "part_of_day":
        return f"{start:%Y-%m-%d}T{_PARTS.get(start.hour, 'NI')}"
    if granularity == "night":
        return f"{start:%Y-%m-%d}TNI"
    if granularity == "quarter":
        return f"{start.year}-Q{(start.month + 2) // 3}"
    if granularity == "season":
        return f"{start.year}-{_SEASONS.get(start.month, 'XX')}"
    return {
        "hour": f"{start:%Y-%m-%dT%H:00}", "minute": f"{start:%Y-%m-%dT%H:%M}", "day": f"{start:%Y-%m-%d}",
        "weekend": f"{year}-W{week:02d}-WE", "week": f"{year}-W{week:02d}", "month": f"{start:%Y-%m}", "year": str(start.year),
        "decade": str(start.year // 10), "century": str(start.year // 100),
    }.get(granularity, f"{start:%Y-%m-%d}")  # fmt: skip


def _smallest(interval: Interval, words: str) -> str:
    """A stretch with no unit of its own: the smallest calendar unit that holds it, as TimeML writes "early December"."""
    assert interval.start is not None
    assert interval.end is not None
    last = interval.end - dt.timedelta(seconds=1)
    if interval.start.date() == last.date():
        return f"{last:%Y-%m-%d}"
    if interval.start.isocalendar()[:2] == last.isocalendar()[:2] and "week" in words.lower():
        return _dated(interval.start, "week")
    if (interval.start.year, interval.start.month) == (last.year, last.month):
        return f"{last:%Y-%m}"
    return str(last.year) if interval.start.year == last.year else str(last.year // 10)


def _recurrence(rule: str) -> str:
    parts = dict(part.split("=") for part in rule.split(";"))
    unit = {"DAILY": "D", "WEEKLY": "W", "MONTHLY": "M", "YEARLY": "Y", "HOURLY": "H"}.get(parts["FREQ"], "D")
    if "BYDAY" in parts:
        return "XXXX-WXX-WE" if parts["BYDAY"] == "SA,SU" else f"XXXX-WXX-{_DAYS[parts['BYDAY'][:2]]}"
    return f"P{'T' if unit == 'H' else ''}{parts.get('INTERVAL', '1')}{unit}"


def main() -> None:
    """Prints strict, relaxed and value F1 over all files of the folder."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument(
        "--misses", action="store_true", help="print each gold expression that was missed or given another value"
    )
    chosen = arguments.parse_args()
    gold_count = found_count = strict = relaxed = valued = 0
    for path in sorted(chosen.folder.glob("*.tml")):
        text, created, gold = read(path)
        found = [t for e in normalise(text, created, POLICY) for t in timexes(e, created)]
        gold_count, found_count = gold_count + len(gold), found_count + len(found)
        free = list(found)
        for one in gold:
            match = next((f for f in free if f.start < one.end and one.start < f.end), None)
            if match is not None:
                free.remove(match)
                relaxed += 1
                strict += (match.start, match.end) == (one.start, one.end)
                valued += match.value == one.value
            if chosen.misses and (match is None or match.value != one.value):
                other = "-" if match is None else f"{text[match.start : match.end]!r} {match.value}"
                print(f"{created.date()} {text[one.start : one.end]!r} {one.value} <> {other}")
        if chosen.misses:
            for extra in free:
                print(f"{created.date()} extra {text[extra.start : extra.end]!r} {extra.value}")
    if not gold_count or not found_count:
        raise SystemExit(
            f"there is nothing to score in {chosen.folder}: {gold_count} gold expressions, {found_count} found"
        )
    for name, count in (("strict", strict), ("relaxed", relaxed), ("value", valued)):
        precision, recall = count / found_count, count / gold_count
        f1 = 2 * precision * recall / (precision + recall) if count else 0.0
        print(f"{name:8} precision {precision:.3f}  recall {recall:.3f}  F1 {f1:.3f}")
    print(f"gold {gold_count}  found {found_count}")


if __name__ == "__main__":
    main()
