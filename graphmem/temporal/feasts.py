"""The dates of holidays, from the ``holidays`` library; this is the only file that imports it.

Which words mean which holiday, and where the library knows it, is in the rule table: a fixed month and day, or a country and the
library's name for it. A holiday that differs between countries is taken from the policy's country if that country has it.
"""

from __future__ import annotations

import datetime as dt
import warnings
from functools import lru_cache

from graphmem.temporal.context import Context
from graphmem.temporal.table import load


def feast_dates(key: str, year: int, context: Context) -> list[tuple[dt.date, int]]:
    """The first days of a holiday in a year, each with how many days it lasts. Most have one; none if the year is out of range."""
    entry = load().holidays[key]
    days, shift = int(entry.get("days", 1)), dt.timedelta(days=int(entry.get("offset", 0)))
    if "date" in entry:
        month, day = entry["date"]
        return [(dt.date(year, month, day) + shift, days)]
    country = str(entry["country"])
    found: tuple[dt.date, ...] = ()
    if entry.get("local"):
        own = context.choose("country")
        found = _library_dates(own, str(entry["name"]), year)
    if not found:
        found = _library_dates(country, str(entry["name"]), year)
    context.note(f"{entry['name']} in {year}: {', '.join(d.isoformat() for d in found) or 'not known'}")
    return [(day + shift, days) for day in found]


@lru_cache(maxsize=512)
def _library_dates(country: str, name: str, year: int) -> tuple[dt.date, ...]:
    """The first day of each run of days that the library gives this name in this year and country."""
    # Imported here because it takes over half a second, and most conversations name no holiday.
    import holidays

    if not 1900 <= year <= 2100:
        return ()
    try:
        kind = type(holidays.country_holidays(country))
    except NotImplementedError:
        return ()
    language = "en_US" if "en_US" in kind.supported_languages else None
    with warnings.catch_warnings():
        # It warns where its tables of a calendar end; those years simply have no such holiday here.
        warnings.simplefilter("ignore")
        calendar = holidays.country_holidays(
            country, years=year, categories=kind.supported_categories, language=language
        )
    days = sorted(d for d, names in calendar.items() if d.year == year and name in names.split("; "))
    return tuple(d for i, d in enumerate(days) if i == 0 or d - days[i - 1] > dt.timedelta(days=1))
