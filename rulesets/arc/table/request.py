"""What a GM may ask for in VI-VIII-X, or a player announce: a check, an opposed check or the one that counters it, a reaction.

Scores are never part of it: the KS and the ES are the sheet's, and the US no player may read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from campaigns.errors import Invalid
from campaigns.schema import Code, Name, Schema, Uid
from rolls.models import Audience
from rolls.rules.errors import RuleError, word
from rolls.rules.errors import whole as whole_number
from rolls.services.request_terms import as_requested, named
from rolls.services.rule_errors import by_the_rules
from rolls.table_rules import OddsContext, Requested, RollContext, Terms
from rulesets.arc import sheet
from rulesets.arc.chips import Typed
from rulesets.arc.rules.adjustments import HUGE, Chip, counted
from rulesets.arc.rules.check import LARGEST_OTHER
from rulesets.arc.settings import THRESHOLDS, Level
from rulesets.arc.table.answer import countered
from rulesets.arc.table.ask import Kind, RollInput, at_field, stat_of, trained
from rulesets.arc.table.bars import keep_out
from rulesets.arc.table.card import Trait, WrittenChip
from rulesets.arc.table.words import request_fields

SET_BY_GM: Final = "That is for the GM to set. Leave it as it is."
ASKED = (Kind.CHECK, Kind.OPPOSED, Kind.REACTION)


class Against(Schema):
    roll: Uid
    name: Name
    kind: Code
    traits: list[Trait]


class Versus(Schema):
    name: Name
    acts: bool


class RequestTerms(Schema):
    """What is kept of what is asked for; the skill as whoever asks has typed it, `versus` for one of two sides that both roll."""

    kind: Code
    stat: Code | None = None
    skill: Name | None = None
    other: int | None = None
    chips: list[WrittenChip] | None = None
    level: Code | None = None
    threshold: int | None = None
    against: Against | None = None
    versus: Versus | None = None


BOUND: Final = ("kind", "stat", "skill", "other", "level", "threshold")
"""What the roll form of whoever answers has to agree with."""


def request(context: OddsContext, ask: RollInput) -> Requested:
    """Return what `words.request_words` says. A player announces a stat and a skill of the sheet; the rest is the GM's.

    Raises Invalid, and for a counter what `countered` raises.
    """
    with by_the_rules():
        kind = word("kind", ask.kind, Kind)
        other = whole_number("other", ask.other, -LARGEST_OTHER, LARGEST_OTHER)
    if kind not in ASKED:
        raise Invalid("Ask for a check, an opposed check or a reaction.", field="kind")
    if not context.is_gm:
        keep_out(context.character)
    terms: Terms = {"kind": kind.value}
    if kind is Kind.REACTION:
        return Requested(terms=terms)
    if not context.is_gm:
        _must_be_open(context, ask)
    terms |= _names(ask) | {"other": other} | _chips(ask)
    if kind is Kind.OPPOSED:
        return _opposed(context, ask, terms)
    return Requested(terms=terms | _threshold(ask) if context.is_gm else terms)


def announces(ask: RollInput) -> tuple[str, Mapping[str, Any]] | None:
    """A check that a player announces is settled by the table. One that counters another's roll is seen by whom that is seen by,
    and a reaction nobody has to set."""
    if ask.kind not in (Kind.CHECK, Kind.OPPOSED) or ask.against is not None:
        return None
    if ask.us is not None:
        raise Invalid(SET_BY_GM, field="us")
    typed = {"stat": ask.ks, "skill": ask.es}
    named = {"stat": ask.stat, "skill": ask.skill}
    chips = tuple(Chip(word=word, value=value, special=abs(value) > HUGE) for word, value in ask.chips)
    return "check", {
        "character": ask.character,
        "name": "",
        **{name: named[name] if score is None else str(score) for name, score in typed.items()},
        "other": Typed(ask.other, chips),
        "opposed": ask.kind == Kind.OPPOSED,
        "level": ask.level,
        "threshold": ask.threshold,
        **{f"against{suffix}": None if not suffix else "" for suffix in ("", "_name", "_stat", "_skill")},
        "fight": False,
    }


def whole(terms: Terms) -> bool:
    """Return whether stat and skill are both said, or it is a reaction, which takes none."""
    return terms["kind"] == Kind.REACTION or ("stat" in terms and "skill" in terms)


def bound(context: RollContext, ask: RollInput) -> RollInput:
    """The ask with the GM's terms. Raises Conflict, and Invalid for another counter, seen by other eyes than the GM has said."""
    if context.request is None:
        return ask
    asked = request_fields(context.request.terms) | {"other": context.requested.get("other", 0)}
    against = asked.get("against")
    terms: Terms = {name: asked[name] for name in BOUND if name in context.requested}
    if terms["kind"] == Kind.OPPOSED and ask.against is not None and str(ask.against) != against:
        raise Invalid("The GM asks for another check. Let it go, and counter this one by its card.", field="against")
    return replace(as_requested(ask, terms), against=UUID(against) if against else ask.against)


def chips_of(context: RollContext, ask: RollInput) -> Terms:
    """Return what a roll keeps of what its other adjustments are made of: what the GM has asked with, else what was typed."""
    if context.request is None:
        return _chips(ask)
    chips = context.requested.get("chips")
    return {"chips": chips} if chips else {}


def _chips(ask: RollInput) -> Terms:
    """Raises Invalid for chips that are none, or that are not what `other` counts."""
    try:
        chips = [Chip(word=word, value=value, special=abs(value) > HUGE) for word, value in ask.chips]
        total = counted(chips).total
    except RuleError as error:
        raise Invalid(error.message, field="other") from error
    if chips and total != ask.other:
        raise Invalid("These do not add up. Write them again.", field="other")
    return {"chips": [{"word": chip.word.strip(), "value": chip.value} for chip in chips]} if chips else {}


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
    set_by_gm = {
        "us": ask.us is not None,
        "other": ask.other != 0 or bool(ask.chips),
        "threshold": ask.threshold is not None,
    }
    set_by_gm["level"] = ask.level != Level.AVERAGE
    for field, is_set in set_by_gm.items():
        if is_set:
            raise Invalid(SET_BY_GM, field=field)
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
            whole_number("threshold", ask.threshold, *THRESHOLDS)
        return {"level": word("level", ask.level, Level).value, "threshold": ask.threshold}
