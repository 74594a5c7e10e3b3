"""Calendar units on local dates: where a unit starts, and the unit so many further on. Pure date arithmetic, no zones."""

from __future__ import annotations

import calendar
import datetime as dt

MIDNIGHT = dt.time()
DAY = dt.timedelta(days=1)

DATE_UNITS = ("day", "week", "weekend", "month", "quarter", "season", "year", "decade", "century")
CLOCK_UNITS = {"second": dt.timedelta(seconds=1), "minute": dt.timedelta(minutes=1), "hour": dt.timedelta(hours=1)}

_SEASONS = ("spring", "summer", "autumn", "winter")
_ASTRONOMICAL = {3: 20, 6: 21, 9: 22, 12: 21}


def midnight(day: dt.date) -> dt.datetime:
    """The naive local time at which the date starts."""
    return dt.datetime.combine(day, MIDNIGHT)


def add_months(day: dt.date, months: int) -> dt.date:
    """The same day of the month so many months on; the month's last day where there is no such day."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    return dt.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def unit_start(unit: str, day: dt.date, week_start: str = "monday") -> dt.date:
    """The first date of the unit that holds ``day``; of a weekend, the Saturday of the week (Monday to Sunday) that holds it."""
    if unit == "day":
        return day
    if unit == "week":
        return day - DAY * ((day.weekday() + (week_start == "sunday")) % 7)
    if unit == "weekend":
        return day - DAY * (day.weekday() - 5)
    if unit == "month":
        return day.replace(day=1)
    if unit == "quarter":
        return dt.date(day.year, day.month - (day.month - 1) % 3, 1)
    years = {"year": 1, "decade": 10, "century": 100}[unit]
    return dt.date(max(day.year - day.year % years, 1), 1, 1)


def unit_shift(unit: str, first: dt.date, count: int) -> dt.date:
    """The first date of the unit ``count`` units after the one that starts on ``first``."""
    if unit == "day":
        return first + DAY * count
    if unit in ("week", "weekend"):
        return first + DAY * (7 * count)
    months = {"month": 1, "quarter": 3, "season": 3, "year": 12, "decade": 120, "century": 1200}[unit]
    return add_months(first, months * count)


def unit_end(unit: str, first: dt.date) -> dt.date:
    """The first date after the unit that starts on ``first``."""
    return first + 2 * DAY if unit == "weekend" else unit_shift(unit, first, 1)


def bounds(unit: str, first: dt.date) -> tuple[dt.datetime, dt.datetime]:
    """The naive local bounds of the unit that starts on ``first``."""
    return midnight(first), midnight(unit_end(unit, first))


def season_bounds(season: str, year: int, hemisphere: str, reckoning: str) -> tuple[dt.datetime, dt.datetime]:
    """The bounds of a season that starts in ``year``. Meteorological seasons start on the first of a month, astronomical ones
    at the usual date of the equinox or solstice (which moves by a day or so from year to year)."""
    month = 3 + 3 * _SEASONS.index(season)
    if hemisphere == "south":
        month = (month + 5) % 12 + 1
    end_month, end_year = (month + 3, year) if month < 12 else (3, year + 1)
    if reckoning == "astronomical":
        return dt.datetime(year, month, _ASTRONOMICAL[month]), dt.datetime(
            end_year, end_month, _ASTRONOMICAL[end_month]
        )
    return dt.datetime(year, month, 1), dt.datetime(end_year, end_month, 1)


def thirds(start: dt.datetime, end: dt.datetime) -> list[dt.datetime]:
    """The four bounds of the thirds of a span, on whole days if it has at least three."""
    days = (end - start).days
    if days < 3:
        return [start, start + (end - start) / 3, start + (end - start) * 2 / 3, end]
    return [start, start + DAY * round(days / 3), start + DAY * round(2 * days / 3), end]
