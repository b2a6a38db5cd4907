"""The rulesets that are installed and the rules that join several of them, by the names under which campaigns and logs keep them.

This app knows no rules: each ruleset registers one object, once, when its app is ready, and apps above put
further attributes on it (characters/rulesets.py, rolls/ruleset.py). A name stays in the database and in the log when the package
is gone, so whatever shows one asks here and gets words for it in any case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Final, TypeVar

from languages.text import gettext as _

NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
NOTHING_DECIDED: Final[Mapping[str, Any]] = MappingProxyType({})


class Rules:
    """Rules as a list of them names them."""

    name: ClassVar[str]
    """Kept in the database and in the log, for good: up to 20 small letters, digits and hyphens."""
    label: ClassVar[str]
    """The words for what kind of rules they are."""
    short: str = ""
    """The name for narrow places; the label unless set."""
    about: str = ""
    """Two sentences for GMs who choose a game: how it plays, and what it is good for."""
    order: int = 100
    """The position in lists of choices: the lowest first, then by name."""
    topics: Mapping[str, str] = {}
    """Further topics of the log with their words, listed after the rolls; names are permanent."""
    outcomes: Mapping[str, str] = {}
    """Further outcomes of the log with their words; names are kept for good."""

    def __init__(self) -> None:
        self.short = self.short or self.label

    def log_outcomes(self) -> Mapping[str, Mapping[str, str]]:
        """Return the outcomes by which the log finds events of these rules, each with its results of rolls, by code, in
        their words.
        """
        return {outcome: {} for outcome in self.outcomes}

    def takes_part(self, names: Sequence[str], decided: Mapping[str, Any]) -> bool:
        """Return whether rules that join others join these rulesets, given a campaign's settings (Campaign.settings)."""
        return False


R = TypeVar("R", bound=Rules)

RULESETS: dict[str, Rules] = {}
JOINING: dict[str, Rules] = {}
"""Rules that take part in the rolls of several rulesets."""


def put(among: dict[str, R], rules: R) -> None:
    """Add rules to those that are installed, in the order in which people choose, whichever app was ready first."""
    ordered = sorted([*among.values(), rules], key=lambda ruleset: (ruleset.order, ruleset.name))
    among.clear()
    among.update((ruleset.name, ruleset) for ruleset in ordered)


def joining(names: Iterable[str], decided: Mapping[str, Any] = NOTHING_DECIDED) -> list[tuple[str, str]]:
    """Return (name, label) of the rules that join these rulesets, by a campaign's settings (`decided`)."""
    played = list(names)
    return [(rules.name, rules.label) for rules in JOINING.values() if rules.takes_part(played, decided)]


def played(names: Sequence[str], decided: Mapping[str, Any]) -> list[Rules]:
    """Return the rulesets among these that are installed, with the rules that join them, as the campaign has `decided`."""
    return [
        *(ruleset for ruleset in RULESETS.values() if ruleset.name in names),
        *(rules for rules in JOINING.values() if rules.takes_part(names, decided)),
    ]


def installed() -> tuple[Rules, ...]:
    return tuple(RULESETS.values())


def every() -> Iterator[Rules]:
    """Yield all installed rules, those that join others after the rulesets, as the pages about rules list them."""
    yield from RULESETS.values()
    yield from JOINING.values()


def first() -> list[str]:
    """Return the rulesets that a new campaign starts with by default."""
    return list(RULESETS)[:1]


def is_installed(name: str) -> bool:
    return name in RULESETS


def choices(among: Iterable[str] | None = None) -> list[tuple[str, str]]:
    """Return (name, label) of every installed ruleset, or of those in `among`, in the order in which they are offered."""
    names = set(RULESETS) if among is None else set(among)
    return [(ruleset.name, ruleset.label) for ruleset in RULESETS.values() if ruleset.name in names]


def offered() -> list[tuple[str, str]]:
    """Return (name, words) of every installed ruleset for a campaign to choose, the words naming the rules that join it too."""
    return [(name, " + ".join([str(label), *(str(also) for __, also in joining([name]))])) for name, label in choices()]


def label_of(name: str) -> str:
    return str(RULESETS[name].label) if name in RULESETS else _("{name} (not installed)").format(name=name)


def short_of(name: str) -> str:
    return str(RULESETS[name].short) if name in RULESETS else name


def about(name: str) -> str:
    """Return how a ruleset plays, in two sentences; "" for one that does not say so, or is not installed."""
    return RULESETS[name].about if name in RULESETS else ""


def missing(names: Iterable[str]) -> Iterator[str]:
    """Yield those of some names that are not installed."""
    return (name for name in names if name not in RULESETS)
