"""The base of all rolls of VI-VIII-X: what their cards and requests keep, and how a GM's terms bind them.

Scores are never part of a request: the KS and the ES are the sheet's, and no player may read the US. Totals and margins
stay in the Roll and in GMs' payloads: with KS, die and adjustments, either betrays a US. So does the SOM of an NPC,
which neither its sheet nor the order of an event shows players.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, ClassVar, Final
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from campaigns.schema import Code, Name, Person, Ref, Schema, Uid
from rolls.odds import Part, bar
from rolls.services.roll_context import as_requested
from rolls.table_rules import CardDie, Odds, RollContext, RollKind, Terms
from rulesets.arc.rules.body import UNCONSCIOUS
from rulesets.arc.sheet import SHEET, find_stat
from rulesets.arc.table.ask import ArcInput, Kind, Named, at_field, is_unconscious, typed_words, unconscious_words

SUCCESS: Final = "success"
FAILURE: Final = "failure"
BOUND: Final = ("kind", "stat", "skill", "other", "level", "threshold")
"""The fields in which an answer's roll form must agree with the request."""


class Trait(Schema):
    code: Code
    name: Name | None = None


class Side(Schema):
    """The check that a counter answers, as opposed.side_of returns it."""

    roll: Uid
    uid: Code
    who: Person
    character: Ref | None = None
    kind: Code
    traits: list[Trait]
    versus: Name | None = None


class WrittenChip(Schema):
    """A part of the other adjustments that was named: a typed `word`, or "size" as the code."""

    word: Name | None = None
    code: Code | None = None
    value: int


class Numbers(Schema):
    ks: int
    us: int
    other: int
    adjustment: int
    total: int
    margin: int | None = None


class Die(CardDie):
    sides: int


class Card(Schema):
    dice: list[Die]
    paired: bool
    som: int | None = None
    traits: list[Trait] | None = None
    es: int | None = None
    adjustment: int | None = None
    other: int | None = None
    chips: list[WrittenChip] | None = None
    threshold: int | None = None
    level: Code | None = None
    against: Side | None = None
    versus: Name | None = None
    acts: bool | None = None
    numbers: Numbers | None = None


class TakenBack(Schema):
    reopened: Side | None = None
    ended: Side | None = None


class Against(Schema):
    roll: Uid
    name: Name
    kind: Code
    traits: list[Trait]


class Versus(Schema):
    name: Name
    acts: bool


class RequestTerms(Schema):
    """The terms of a request; the skill as it was typed, `versus` for one of two sides that both roll."""

    kind: Code
    stat: Code | None = None
    skill: Name | None = None
    other: int | None = None
    chips: list[WrittenChip] | None = None
    level: Code | None = None
    threshold: int | None = None
    against: Against | None = None
    versus: Versus | None = None


class ArcRoll(RollKind):
    """A roll of one die."""

    schema = Card
    kind: ClassVar[Kind]

    def trait_names(self, terms: Mapping[str, Any]) -> list[str]:
        """Return the names of the traits in a roll; without traits, the name of the roll itself."""
        raise NotImplementedError

    def request_fields(self, terms: Terms) -> Terms:
        fields = {name: value for name, value in terms.items() if name not in ("chips", "versus")}
        chips = terms.get("chips", ())
        if chips and all("word" in chip for chip in chips):
            fields["other"] = typed_words(chips)
        if "stat" in terms:
            fields["stat"] = str(SHEET.fields[terms["stat"]].label)
        if "against" in terms:
            fields["against"] = terms["against"]["roll"]
        return fields

    def bound(self, context: RollContext, ask: ArcInput) -> ArcInput:
        """Return the input with the GM's terms in it. Raises Conflict, and Invalid for a counter to another check than
        the GM asked for, which would have other viewers.
        """
        if context.request is None:
            return ask
        asked = self.request_fields(context.request.terms) | {"other": context.requested.get("other", 0)}
        against = asked.get("against")
        terms: Terms = {name: asked[name] for name in BOUND if name in context.requested}
        if terms["kind"] == Kind.OPPOSED and ask.against is not None and str(ask.against) != against:
            message = _(
                "The GM asked for a different check. Dismiss that request, then counter this one from its card."
            )
            raise Invalid(message, field="against")
        if "stat" in terms and ask.stat:
            ask = replace(ask, stat=_stat_label(ask.stat))
        return replace(as_requested(ask, terms), against=UUID(against) if against else ask.against)

    def check_able(self, context: RollContext) -> None:
        """Raise BlockedByState for who is unconscious (arc.txt, V.6), unless a GM allows it."""
        if context.character is not None and is_unconscious(context.character):
            context.block(UNCONSCIOUS, unconscious_words(context.character))


def _stat_label(stat: str) -> str:
    """Return the label of a stat that is given by its label, its code or how one of them begins. Raises Invalid."""
    with at_field("stat"):
        return find_stat({}, stat).label


def trait_names(traits: Iterable[Named]) -> list[str]:
    """Return the labels of a sheet's traits."""
    return [str(trait.get("name") or SHEET.fields[trait["code"]].label) for trait in traits]


def result(success: bool) -> str:
    return SUCCESS if success else FAILURE


def headline(outcome: str) -> str:
    """Return the outcome of a roll as the end of its card shows it."""
    return _("Success") if outcome == SUCCESS else _("Failure")


def success_bar(chance: Fraction, *lines: str) -> Odds:
    """Return the odds of a roll that succeeds with this chance."""
    return bar([Part("bad", _("failure"), 1 - chance), Part("good", _("success"), chance)], dice=1, lines=lines)
