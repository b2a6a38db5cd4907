"""Filters for the event templates of rolls, what later became of an event; and the times of the first page, in words."""

from __future__ import annotations

import json as notation
import re
from datetime import datetime
from typing import Any

from django import template
from django.utils.formats import date_format, time_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import ngettext

from campaigns.models import Event, Role
from campaigns.text import added
from languages.text import gettext as _
from rolls.events import ROLL_MADE, ROLL_VOIDED
from rolls.queries import procedures
from rolls.queries.search import Wanted
from rolls.registry import RULESETS

register = template.Library()


@register.filter
def amendment(event: Event, kind: str) -> Event | None:
    """Return the first event of this kind that amends this one; no query for events that were read `whole`."""
    return next((later for later in event.amendments.all() if later.kind == kind), None)


@register.filter
def answered(event: Event) -> Event | None:
    """Return the roll that completes this event's card and stands; None without one."""
    rolls = (later for later in event.amendments.all() if later.kind == ROLL_MADE)
    return next((roll for roll in rolls if amendment(roll, ROLL_VOIDED) is None), None)


register.filter(added)


@register.filter
def of(values: dict[str, Any], name: str) -> Any:
    """Return the value of a name; None if there is none."""
    return values.get(name)


@register.filter
def marked(text: str, wanted: Wanted) -> SafeString:
    """Return a text with what was searched for marked."""
    pieces = (
        (format_html("<mark>{}</mark>", piece) if is_match else piece,) for piece, is_match in wanted.marked(text)
    )
    return format_html_join("", "{}", pieces)


@register.simple_tag
def who_rolled(payload: dict[str, Any]) -> str:
    """Return who made a roll, as its card names them: "Ro as Ada for Bel", "Bel as Ada (rolled by Ro)"."""
    character, other, rolled_by = (payload.get(name) for name in ("character", "rolled_for", "rolled_by"))
    if character and other:
        words = _("<b>{name}</b> as {character} for {other}")
    elif character:
        words = _("<b>{name}</b> as {character}")
    else:
        words = _("<b>{name}</b> for {other}") if other else "<b>{name}</b>"
    names = {"character": character, "other": other}
    said = format_html(words, name=payload["who"]["name"], **{key: one["name"] for key, one in names.items() if one})
    return format_html(_("{roller} (rolled by {name})"), roller=said, name=rolled_by["name"]) if rolled_by else said


@register.simple_block_tag
def fields_of(content: str, game: str) -> SafeString:
    """Draw the fields of one game beside those of others: their names and ids begin with its own, "<game>-<field>"."""
    return mark_safe(re.sub(r'(?<=\s)(name|id|list|for)="', rf'\1="{game}-', content))  # noqa: S308  # a template of the game


@register.filter
def spoken(die: dict[str, Any]) -> str:
    """Return the face of a die as it is read out, with what it showed before it was rolled again: "3 (was 1)"."""
    if not die.get("was"):
        return str(die["face"])
    return _("{face} (was {before})").format(face=die["face"], before=", ".join(map(str, die["was"])))


@register.filter
def json(value: object) -> str:
    """Return a value as JSON, for a data attribute that a script reads."""
    return notation.dumps(value, default=str)


@register.filter
def live_part(payload: dict[str, Any]) -> str:
    """Return the template of further changes by a roll on open pages; "" if its rules have none."""
    ruleset = RULESETS.get(payload.get("system", ""))
    return ruleset.live if ruleset else ""


@register.simple_tag
def opened_with(system: str, role: str) -> list[dict[str, Any]]:
    """Return what a press on a character of these rules opens (queries/procedures.py)."""
    return procedures.opened_with(system, Role(role), own=role == Role.GM)


@register.simple_tag
def opened_for(system: str, role: str) -> list[dict[str, Any]]:
    """Return what opens for a character of these rules whom the reader plays."""
    against = {one["kind"] for one in procedures.opened_with(system, Role(role), own=False)}
    return [one for one in procedures.opened_with(system, Role(role), own=True) if one["kind"] not in against]


@register.filter
def card(payload: dict[str, Any]) -> str:
    """Return the template that draws the card of a roll: that of its ruleset, a plain one where that is not installed any
    more."""
    system = payload["system"]
    return f"{system}/card.html" if system in RULESETS else "rolls/_plain_card.html"


@register.simple_tag
def home_in_days(at: datetime) -> str:
    """Return how many days off a time is for the reader, in words."""
    days = -_days_ago(at)
    if days < 2:
        return _("Tomorrow") if days else _("Today")
    return ngettext("In {n} day", "In {n} days", days).format(n=days)


@register.simple_tag
def home_day(at: datetime) -> str:
    """Return when something was, in the reader's own time: "Today, 12:04", "Monday, 22:10"."""
    days = _days_ago(at)
    day = (_("Today"), _("Yesterday"))[days] if days < 2 else _day(at, days)
    return f"{day}, {time_format(localtime(at))}"


@register.simple_tag
def home_since(at: datetime) -> str:
    """Return from when on news are told: a time of today, a day of the last week, else a date."""
    days = _days_ago(at)
    return _("Since {day}").format(day=_day(at, days) if days else time_format(localtime(at)))


def _days_ago(at: datetime) -> int:
    return (localtime().date() - localtime(at).date()).days


def _day(at: datetime, days: int) -> str:
    return date_format(localtime(at), "l" if days < 7 else _("j F"))
