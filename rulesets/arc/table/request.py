"""What a GM may ask for in VI-VIII-X, or a player announce: a check, an opposed check or the one that counters it, a reaction.

Scores are never part of it: the KS and the ES are the sheet's, and the US no player may read.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final
from uuid import UUID

from campaigns.errors import Invalid
from campaigns.schema import CODE, NAME, UID, Fields, Maybe
from rolls.models import Audience
from rolls.rules.errors import whole, word
from rolls.services.request_terms import as_requested, named
from rolls.services.rule_errors import by_the_rules
from rolls.table_rules import OddsContext, Requested, RollContext, Terms
from rulesets.arc import sheet
from rulesets.arc.rules.check import LARGEST_OTHER
from rulesets.arc.settings import THRESHOLDS, Level
from rulesets.arc.table.answer import countered
from rulesets.arc.table.ask import Kind, RollInput, at_field, stat_of, trained
from rulesets.arc.table.card import TRAITS
from rulesets.arc.table.words import request_fields

ASKED = (Kind.CHECK, Kind.OPPOSED, Kind.REACTION)

SCHEMA: Final[Fields] = {
    "kind": CODE,
    "stat": Maybe(CODE),
    "skill": Maybe(NAME),
    "other": Maybe(int),
    "level": Maybe(CODE),
    "threshold": Maybe(int),
    "against": Maybe({"roll": UID, "name": NAME, "kind": CODE, "traits": TRAITS}),
}
"""What is kept of what is asked for; the skill as whoever asks has typed it."""


def request(context: OddsContext, ask: RollInput) -> Requested:
    """What `words.request_words` says. A player announces a stat and a skill of the sheet; the rest is the GM's.

    Raises Invalid, and for a counter what `countered` raises.
    """
    with by_the_rules():
        kind = word("kind", ask.kind, Kind)
        other = whole("other", ask.other, -LARGEST_OTHER, LARGEST_OTHER)
    if kind not in ASKED:
        raise Invalid("Ask for a check, an opposed check or a reaction.", field="kind")
    terms: Terms = {"kind": kind.value}
    if kind is Kind.REACTION:
        return Requested(terms=terms)
    if not context.is_gm:
        _must_be_open(context, ask)
    terms |= _names(ask) | {"other": other}
    if kind is Kind.OPPOSED:
        return _opposed(context, ask, terms)
    return Requested(terms=terms | _threshold(ask) if context.is_gm else terms)


def bound(context: RollContext, ask: RollInput) -> RollInput:
    """The ask with the GM's terms. Raises Conflict, and Invalid for another counter, seen by other eyes than the GM has said."""
    if context.request is None:
        return ask
    terms = request_fields(context.request.terms)
    against = terms.pop("against", None)
    if terms["kind"] == Kind.OPPOSED and ask.against is not None and str(ask.against) != against:
        raise Invalid("The GM asks for another check. Let it go, and counter this one by its card.", field="against")
    return replace(as_requested(ask, terms), against=UUID(against) if against else ask.against)


def must_be_asked(context: RollContext) -> None:
    """Raise Invalid for a check that a player sets themselves.

    Whoever can choose what is to be exceeded, or type in one die after the other against the same threshold, finds a US within
    a few rolls. So a GM sets every check that has a US in it, and it tells one result at that threshold and no more.
    """
    if context.request is None and not context.work.by.is_gm:
        message = "The GM says how hard a check is. Announce it, and roll it when the GM asks for it."
        raise Invalid(message, field="kind")


def _must_be_open(context: OddsContext, ask: RollInput) -> None:
    """Raise Invalid for what a player cannot announce: other than the sheet's scores, or what is the GM's to set."""
    set_by_gm = {"us": ask.us is not None, "other": ask.other != 0, "threshold": ask.threshold is not None}
    set_by_gm["level"] = ask.level != Level.AVERAGE
    for field, is_set in set_by_gm.items():
        if is_set:
            raise Invalid("That is for the GM to set. Leave it as it is.", field=field)
    if ask.ks is None and ask.es is None:  # or _names refuses them
        stat_of(context.character, ask)
        trained(context.character, ask)


def _opposed(context: OddsContext, ask: RollInput, terms: Terms) -> Requested:
    """One that stands for itself, or counters another for the eyes that see that one."""
    if ask.against is None or context.by is None:
        return Requested(terms=terms)
    first = countered(context.by, ask.against)
    name = first.character.name if first.character else first.by.name
    against = {"roll": str(first.pk), "name": name, "kind": first.kind, "traits": first.ask["traits"]}
    return Requested(terms=terms | {"against": against}, audience=Audience(first.audience))


def _names(ask: RollInput) -> Terms:
    """The stat by its code, which every sheet has, and the skill as the GM calls it, since skills are each sheet's own."""
    for field, typed in (("stat", ask.ks), ("skill", ask.es)):
        if typed is not None:
            raise Invalid("Name it, or leave it to the player: the score is the sheet’s.", field=field)
    names = named(stat=ask.stat, skill=ask.skill)
    if "stat" in names:
        with at_field("stat"):
            names["stat"] = sheet.find_stat({}, names["stat"]).name
    return names


def _threshold(ask: RollInput) -> Terms:
    with by_the_rules():
        if ask.threshold is not None:
            whole("threshold", ask.threshold, *THRESHOLDS)
        return {"level": word("level", ask.level, Level).value, "threshold": ask.threshold}
