"""Draw clocks: the payload that events and pages hold, with their words and their pie."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from math import cos, pi, sin
from typing import Any

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.models import ClockKind, ClockOwner, ClockVisibility

register = template.Library()

# What it means that a clock of each kind is full (the public rules of progress clocks).
FULL = {
    ClockKind.DANGER: gettext_lazy("the danger is here"),
    ClockKind.MISSION: gettext_lazy("the time is up"),
    ClockKind.PROJECT: gettext_lazy("the project is done"),
    ClockKind.FACTION: gettext_lazy("the faction has what it wanted"),
    ClockKind.HEALING: gettext_lazy("all harm drops by one level"),
}

SEEN_BY = {
    ClockVisibility.KNOWN: gettext_lazy("only the GM sees its progress"),
    ClockVisibility.SECRET: gettext_lazy("only the GM sees it"),
}


@register.filter
def drawn(clock: dict[str, Any]) -> dict[str, Any]:
    """Return a clock's payload with the words and outlines that campaigns/_clock.html draws. A known clock that is full is
    drawn full."""
    filled = clock["segments"] if clock["full"] else clock["filled"]
    return clock | {
        "progress_words": _progress_words(clock),
        "kind_words": _kind_words(clock),
        "owner_words": _owner_words(clock["owner"]),
        "audience_words": audience_words(clock),
        "paths": [{"d": d, "filled": at < (filled or 0)} for at, d in enumerate(slices(clock["segments"]))],
    }


@register.filter
def audience_words(clock: dict[str, Any]) -> str:
    """Return words for who sees a clock; "" if everyone does."""
    return _("only the GM sees it until then") if clock["after"] else str(SEEN_BY.get(clock["visibility"], ""))


@register.filter
def clock_words(clock: dict[str, Any]) -> str:
    """Return a clock in a few words, for a line: how far it is, what kind it is, whose, and who sees it."""
    words = drawn(clock)
    parts = (words["progress_words"], words["kind_words"], words["owner_words"], words["audience_words"])
    return ", ".join(part for part in parts if part)


@register.filter
def full_words(clock: dict[str, Any]) -> str:
    """Return words for what happens when the clock is full; "" if the kind does not say."""
    return str(FULL.get(clock["kind"], ""))


@register.filter
def tickers(clock: dict[str, Any]) -> str:
    """Return which players may tick a clock: "all", a membership's id, or "" for the GM alone. The service decides in the end."""
    if clock["visibility"] != ClockVisibility.VISIBLE or clock["after"] or clock["archived"]:
        return ""
    owner = clock["owner"]
    if owner["what"] == ClockOwner.CREW:
        return "all"
    person = owner.get("person")
    return str(person["member"]) if person else ""


def _progress_words(clock: dict[str, Any]) -> str:
    if clock["filled"] is not None:
        return _("{filled} of {segments}").format(filled=clock["filled"], segments=clock["segments"])
    words = _("all {segments} filled") if clock["full"] else _("{segments} segments")
    return words.format(segments=clock["segments"])


def _kind_words(clock: dict[str, Any]) -> str:
    if clock["rival"]:
        return _("races {clock}").format(clock=clock["rival"]["name"])
    if clock["after"]:
        return _("waits for {clock}").format(clock=clock["after"]["name"])
    return str(ClockKind(clock["kind"]).label)


def _owner_words(owner: dict[str, Any]) -> str:
    if owner["what"] == ClockOwner.CHARACTER:
        return owner["thing"]["name"]
    if owner["what"] == ClockOwner.PLAYER:
        return owner["person"]["name"]
    return _("the crew") if owner["what"] == ClockOwner.CREW else ""


CENTRE = 50
RADIUS = 48
MOST = 12


@lru_cache(maxsize=16)
def slices(segments: int) -> tuple[str, ...]:
    """Return the path data of each of 2 to 12 segments, as ready strings: one string a size, whatever the machine's locale."""
    if not 2 <= segments <= MOST:
        raise ValueError(f"no clock has {segments} segments")
    corners = [_corner(at, segments) for at in range(segments + 1)]
    return tuple(f"M{CENTRE} {CENTRE}L{start}A{RADIUS} {RADIUS} 0 0 1 {end}Z" for start, end in pairwise(corners))


def _corner(at: int, segments: int) -> str:
    angle = 2 * pi * at / segments
    return f"{CENTRE + RADIUS * sin(angle):.2f} {CENTRE - RADIUS * cos(angle):.2f}"
