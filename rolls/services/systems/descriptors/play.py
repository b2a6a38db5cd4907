"""Descriptors at the table: two pools fall at once and are compared pair by pair; both sides pay their Will before."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from campaigns.errors import Waiting
from characters.models import Character
from rolls.models import Roll
from rolls.rules.descriptors import Ask as Asked
from rolls.rules.descriptors import Settings, resolve
from rolls.rules.dice import Die, Faces
from rolls.services.refusal import keep_hidden
from rolls.services.systems.base import Change, Feeds, Plan, Reading, Roller, RollSystem, Terms
from rolls.services.systems.descriptors.ask import NAME, Ask, Sides, sides_of
from rolls.services.systems.descriptors.card import card, opponent_of, stored_outcome
from rolls.services.systems.descriptors.odds import preview
from rolls.services.systems.descriptors.request import request
from rolls.services.systems.descriptors.will import bill, pay, repay, terms_of
from rolls.services.systems.requested import as_requested
from rolls.settings import RollSettings

KIND: Final = "opposed"


def plan(roller: Roller, ask: Ask) -> Plan:
    """Raises Invalid for pools that cannot be, for Will that is not there, for an opponent whom the roll would betray;
    Stale where the GM has just asked for something else."""
    if roller.request:
        ask = as_requested(ask, roller.request.terms)
    settings = roller.settings.descriptors
    sides = sides_of(roller.table.campaign, roller.character, ask, settings, is_gm=roller.table.by.is_gm)
    keep_hidden(sides.opponent, roller.audience, field="versus")
    terms = _terms(sides, settings)
    return Plan(kind=KIND, terms=terms, count=sides.a.dice + sides.b.dice, die=Die(settings.sides))


def read(terms: Terms, faces: Faces, settings: RollSettings, feeds: Feeds) -> Reading:
    """The faces of the roller's side come first."""
    ask = Asked(a=terms["a"]["dice"], b=terms["b"]["dice"])
    outcome = resolve(ask, faces, settings.descriptors)
    fell = tuple(die.face for die in (*outcome.a, *outcome.b))
    return Reading(faces=fell, outcome=stored_outcome(outcome, settings.descriptors))


def _terms(sides: Sides, settings: Settings) -> Terms:
    """`opponent` is an id alone, so that the card has the name they go by when it is drawn; `versus` is who is no character."""
    paid_a, paid_b = bill(sides, settings)
    return {
        "words": f"{sides.a.words} against {sides.b.words}",
        "versus": sides.versus,
        "opponent": str(sides.opponent.pk) if sides.opponent else None,
        "a": sides.a.stored | terms_of(paid_a),
        "b": sides.b.stored | terms_of(paid_b),
    }


def _names(roll: Roll) -> list[Character]:
    opponent = opponent_of(roll)
    written = {UUID(who) for followed in roll.outcome.get("follows", {}).values() for who, _ in followed["done"]}
    others = Character.objects.filter(campaign=roll.campaign_id, pk__in=written).select_related("owner__user")
    return [*([opponent] if opponent else []), *others]


def _taken_back(roll: Roll) -> dict[str, Any]:
    """What followed from it is undone as well."""
    return {"unfollowed": True} if roll.outcome.get("follows") else {}


def _held(roll: Roll, change: Change) -> None:
    """The corrected roll would let it all follow once more. Raises Waiting."""
    if change is Change.CORRECT and roll.outcome.get("follows"):
        raise Waiting("Something has followed from this roll already. Take it back and roll it anew.")


SYSTEM = RollSystem(
    name=NAME,
    plan=plan,
    read=read,
    card=card,
    preview=preview,
    request=request,
    pay=pay,
    repay=repay,
    names=_names,
    taken_back=_taken_back,
    held=_held,
)
