"""Descriptors at the table: two pools fall at once and are compared pair by pair; both sides pay their Will before."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from campaigns.errors import Blocked
from campaigns.schema import Maybe
from characters.models import Character
from rolls.models import Roll
from rolls.rules.dice import Die, Faces
from rolls.services.request_terms import as_requested
from rolls.services.rule_errors import keep_hidden
from rolls.settings import RollSettings
from rolls.table_rules import Change, Outcome, PreparedRoll, RollContext, TableRules, Terms
from rulesets.descriptors.rules.contest import Ask as Asked
from rulesets.descriptors.rules.contest import resolve
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.table.ask import RollInput, Sides, sides_of
from rulesets.descriptors.table.card import SCHEMA, card, opponent_of, stored_outcome
from rulesets.descriptors.table.preview import preview
from rulesets.descriptors.table.request import REQUEST, request
from rulesets.descriptors.table.will import bill, pay, repay, terms_of
from rulesets.descriptors.table.words import again, describe, request_fields, request_words

KIND: Final = "opposed"


def plan(context: RollContext, ask: RollInput) -> PreparedRoll:
    """Raises Invalid for pools that cannot be, for Will that is not there, for an opponent whom the roll would betray;
    Conflict where the GM has just asked for something else."""
    if context.request:
        ask = as_requested(ask, request_fields(context.request.terms))
    settings = context.settings.of(Settings)
    sides = sides_of(context.work.campaign, context.character, ask, settings, is_gm=context.work.by.is_gm)
    keep_hidden(sides.opponent, context.audience, field="versus")
    terms = _terms(sides, settings)
    return PreparedRoll(kind=KIND, terms=terms, count=sides.a.dice + sides.b.dice, die=Die(settings.sides))


def read(terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
    """The faces of the roller's side come first."""
    ask = Asked(a=terms["a"]["dice"], b=terms["b"]["dice"])
    outcome = resolve(ask, faces, settings.of(Settings))
    fell = tuple(die.face for die in (*outcome.a, *outcome.b))
    return Outcome(faces=fell, outcome=stored_outcome(outcome, settings.of(Settings)))


def _terms(sides: Sides, settings: Settings) -> Terms:
    """`opponent` is an id alone, so that the card has the name they go by when it is drawn; `versus` is who is no character."""
    paid_a, paid_b = bill(sides, settings)
    return {
        "versus": sides.versus,
        "opponent": str(sides.opponent.pk) if sides.opponent else None,
        "a": {"dice": sides.a.dice} | sides.a.stored | terms_of(paid_a),
        "b": {"dice": sides.b.dice} | sides.b.stored | terms_of(paid_b),
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
    """The corrected roll would let it all follow once more. Raises Blocked."""
    if change is Change.CORRECT and roll.outcome.get("follows"):
        raise Blocked("Something has followed from this roll already. Take it back and roll it anew.")


TABLE = TableRules(
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
    again=again,
    schema=SCHEMA,
    back_schema={"unfollowed": Maybe(bool)},
    describe=describe,
    request_words=request_words,
    request_fields=request_fields,
    request_schema=REQUEST,
)
