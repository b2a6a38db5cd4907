"""The rulesets that are installed and the add-ons that join them, by the names under which campaigns and logs keep them.

This app knows no rules: each ruleset and each add-on registers its name once, when its app is ready. A name stays in the database
and in the log when the package is gone, so whatever shows one asks here and gets words for it in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

NAME = re.compile(r"[a-z][a-z0-9-]{0,19}")
NOTHING_DECIDED: Final[Mapping[str, Any]] = MappingProxyType({})


@dataclass(frozen=True, kw_only=True)
class RulesetName:
    """`name` is a slug, kept for good; `label` says what it is, `short` where there is little room, `about` to who chooses."""

    name: str
    label: str
    short: str
    order: int = 100
    about: str = ""


@dataclass(frozen=True, kw_only=True)
class AddOnName:
    """`name` is a slug, kept for good; `joins` says whether it has a part in what rulesets of some names play, with
    what a campaign has decided about them (Campaign.settings)."""

    name: str
    label: str
    joins: Callable[[Sequence[str], Mapping[str, Any]], bool]


_installed: dict[str, RulesetName] = {}
_add_ons: dict[str, AddOnName] = {}


def register(ruleset: RulesetName) -> None:
    """Called by a ruleset's app when it is ready; `order` is that in which people choose, whichever app was ready first."""
    there = sorted([*_installed.values(), ruleset], key=lambda one: (one.order, one.name))
    _installed.clear()
    _installed.update((one.name, one) for one in there)


def register_add_on(add_on: AddOnName) -> None:
    """Called by its app when that is ready."""
    _add_ons[add_on.name] = add_on


def add_ons(names: Iterable[str], decided: Mapping[str, Any] = NOTHING_DECIDED) -> list[tuple[str, str]]:
    """(name, label) of the add-ons that join some rulesets, by what a campaign has `decided` about them."""
    played = list(names)
    return [(one.name, one.label) for one in _add_ons.values() if one.joins(played, decided)]


def installed() -> tuple[RulesetName, ...]:
    return tuple(_installed.values())


def first() -> list[str]:
    """What a new campaign begins with, unless its GM says otherwise."""
    return list(_installed)[:1]


def is_installed(name: str) -> bool:
    return name in _installed


def choices(among: Iterable[str] | None = None) -> list[tuple[str, str]]:
    """(name, label) of every installed ruleset, or of those `among` some names, in the order in which they are offered."""
    wanted = set(_installed) if among is None else set(among)
    return [(one.name, one.label) for one in _installed.values() if one.name in wanted]


def offered() -> list[tuple[str, str]]:
    """(name, words) of every installed ruleset for a campaign to choose: with the add-ons that come with it."""
    return [(name, ", with ".join((label, *_joining(name)))) for name, label in choices()]


def _joining(name: str) -> Iterator[str]:
    return (label[:1].lower() + label[1:] for _, label in add_ons([name]))


def label_of(name: str) -> str:
    return _installed[name].label if name in _installed else f"{name} (not installed)"


def short_of(name: str) -> str:
    return _installed[name].short if name in _installed else name


def about(name: str) -> str:
    """How a ruleset plays, in two sentences; "" for one that does not say so, or is not installed."""
    return _installed[name].about if name in _installed else ""


def missing(names: Iterable[str]) -> Iterator[str]:
    """Those of some names that are not installed."""
    return (name for name in names if name not in _installed)
