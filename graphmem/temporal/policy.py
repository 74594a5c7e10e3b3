"""Policies: the readings on which reasonable people differ, each with a name and a value.

A policy that took part in making an interval is stored with it as ``name=value``, so that a date can be questioned later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace

from graphmem.errors import ConfigurationError

_CHOICES: dict[str, tuple[str, ...]] = {
    "week_start": ("monday", "sunday"),
    "last_week": ("either", "rolling", "calendar"),
    "next_weekday": ("nearest", "next_week"),
    "same_weekday": ("other", "today"),
    "unstated_year": ("tense", "nearest"),
    "day_month_order": ("month_first", "day_first"),
    "hemisphere": ("north", "south"),
    "seasons": ("meteorological", "astronomical"),
}


@dataclass(frozen=True, slots=True)
class Policy:
    """How to read what can be read in more than one way.

    week_start: the day on which a week starts.
    last_week: the seven days before the day of speaking (rolling), the last whole week (calendar), or a span that holds
        both readings, which are then kept as alternatives (either).
    next_weekday: "next Friday" is the first one to come (nearest) or the one of next week (next_week).
    same_weekday: a bare weekday that is that of the day of speaking is another day, since a speaker would say "today" (other), or that
        very day, as in a dated report (today).
    unstated_year: a date or month without a year is that of the year the tense asks for, the nearest one without any verb (tense), or
        always the nearest (nearest), as in the dates of a report.
    recently_days, soon_days: how far "recently" reaches back and "soon" reaches ahead, in days.
    day_month_order: whether 10/11 is October 11th (month_first) or 10 November (day_first).
    hemisphere: whose summer is meant. seasons: from the first of a month, or from solstices and equinoxes.
    fiscal_year_month: the month (1 to 12) in which a fiscal year starts; it is named after the year in which it ends.
    country: ISO 3166 code of the holidays that are meant where countries differ.
    """

    week_start: str = "monday"
    last_week: str = "either"
    next_weekday: str = "nearest"
    same_weekday: str = "other"
    unstated_year: str = "tense"
    recently_days: int = 30
    soon_days: int = 30
    day_month_order: str = "month_first"
    hemisphere: str = "north"
    seasons: str = "meteorological"
    fiscal_year_month: int = 10
    country: str = "US"

    def __post_init__(self) -> None:
        for name, choices in _CHOICES.items():
            if getattr(self, name) not in choices:
                raise ConfigurationError(
                    f"the time policy {name} is {getattr(self, name)!r}; it must be one of {', '.join(choices)}"
                )
        for name, low, high in (("recently_days", 1, 3660), ("soon_days", 1, 3660), ("fiscal_year_month", 1, 12)):
            value = getattr(self, name)
            if not isinstance(value, int) or not low <= value <= high:
                raise ConfigurationError(
                    f"the time policy {name} is {value!r}; it must be a whole number {low} to {high}"
                )
        if not (len(self.country) == 2 and self.country.isalpha() and self.country.isupper()):
            raise ConfigurationError(f"the time policy country is {self.country!r}; it must be a code such as US or GB")

    @property
    def chosen(self) -> str:
        """What differs from the defaults, as ``parse`` reads it; empty where nothing does."""
        return ",".join(
            f"{each.name}={getattr(self, each.name)}"
            for each in fields(self)
            if getattr(self, each.name) != each.default
        )

    def override(self, values: Mapping[str, str | int]) -> Policy:
        """This policy with the named values changed. Raises ``ConfigurationError`` for an unknown name or value."""
        known = {f.name: f.type for f in fields(self)}
        changed: dict[str, str | int] = {}
        for name, value in values.items():
            if name not in known:
                raise ConfigurationError(f"there is no time policy {name!r}; there are {', '.join(known)}")
            changed[name] = int(value) if known[name] == "int" and str(value).isdigit() else value
        return replace(self, **changed)  # type: ignore[arg-type]

    @classmethod
    def parse(cls, text: str) -> Policy:
        """A policy from ``name=value`` pairs separated by commas, such as ``week_start=sunday,soon_days=14``."""
        pairs = [part.strip() for part in text.split(",") if part.strip()]
        values: dict[str, str | int] = {}
        for pair in pairs:
            name, equals, value = pair.partition("=")
            if not equals:
                raise ConfigurationError(f"{pair!r} is not a time policy; write name=value, such as week_start=sunday")
            values[name.strip()] = value.strip()
        return cls().override(values)
