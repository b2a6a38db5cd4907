"""Descriptors at the table: two pools fall at once and are compared pair by pair; both sides pay their Will before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from campaigns.errors import Blocked
from campaigns.kinds import Payload
from characters.models import Character
from rolls.models import Roll
from rolls.rules.dice import Die, Faces
from rolls.rules.effects import Write
from rolls.services.roll_context import as_requested
from rolls.services.rule_errors import keep_hidden
from rolls.settings import RollSettings, roll_settings
from rolls.table_rules import (
    Again,
    Change,
    Odds,
    OddsContext,
    Outcome,
    PreparedRoll,
    Requested,
    RollContext,
    TableRules,
    Terms,
    Written,
)
from rulesets.descriptors.rules.contest import Ask as Asked
from rulesets.descriptors.rules.contest import Outcome as Resolved
from rulesets.descriptors.rules.contest import resolve
from rulesets.descriptors.rules.filling import decisions_of
from rulesets.descriptors.rules.states import block_message, fund_of
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import track
from rulesets.descriptors.table import card as card_module
from rulesets.descriptors.table import preview as preview_module
from rulesets.descriptors.table import request as request_module
from rulesets.descriptors.table import will as will_module
from rulesets.descriptors.table import words as words_module
from rulesets.descriptors.table.ask import NAME, SOMEBODY, DescriptorsInput, Sides, descriptors_of, sides_of
from rulesets.descriptors.table.bound import BOUND, RECOVERY, bound_sides, is_recovery
from rulesets.descriptors.table.card import Card, TakenBack, after, opponent_of, stored_outcome
from rulesets.descriptors.table.counted import KIND, DescriptorsCountable, both_play, with_extra_dice
from rulesets.descriptors.table.request import RequestTerms
from rulesets.descriptors.table.will import bill, terms_of


def _keep_out(context: RollContext, settings: Settings) -> None:
    """Without Will, and out of the scene, nobody rolls. In a contest that is asked when they are ready."""
    values = descriptors_of(context.character)
    block = fund_of(values, settings).block if values is not None else None
    if block is not None and context.character is not None:
        context.block(block, block_message(context.character.name, block))


def _after(terms: Terms, outcome: Resolved, settings: Settings) -> dict[str, Any] | None:
    """Return what may follow for the loser, by their own Power track; an Injury hits nobody."""
    if outcome.winner is None or terms.get(RECOVERY):
        return None
    return after(outcome.successes, terms[outcome.winner.other], settings)


def _terms(sides: Sides, settings: Settings) -> Terms:
    """`opponent` is an id alone, so that the card has the name they go by when it is drawn; `versus` is who is no character.
    `boxes`: how long the Power track of that side is, 0 where there is no sheet, and which of it are `crossed`."""
    paid_a, paid_b = bill(sides, settings)
    return {
        "versus": sides.versus,
        "opponent": str(sides.opponent.pk) if sides.opponent else None,
        "a": {"dice": sides.a.dice} | sides.a.stored | terms_of(paid_a) | _track(sides.mine),
        "b": {"dice": sides.b.dice} | sides.b.stored | terms_of(paid_b) | _track(sides.opponent),
    }


def _track(character: Character | None) -> dict[str, Any]:
    values = descriptors_of(character)
    power_track = track(values) if values is not None else None
    return (
        {"boxes": power_track.boxes, "crossed": sorted(power_track.crossed)}
        if power_track
        else {"boxes": 0, "crossed": []}
    )


def _side(character: Character | None, name: str, settings: Settings) -> dict[str, Any]:
    values = descriptors_of(character)
    return {
        "name": character.name if character else name,
        "character": str(character.pk) if character else None,
        "fund": fund_of(values, settings) if values is not None else None,
    }


class DescriptorsTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    back_schema = TakenBack
    counted = DescriptorsCountable()

    def prepare(self, context: RollContext, ask: DescriptorsInput) -> PreparedRoll:
        """Raises Invalid for pools that cannot be, for Will that is not there, for an opponent whom the roll would betray;
        Conflict where the GM has just asked for something else; BlockedByState for whom their state keeps out."""
        settings = context.settings.of(Settings)
        sides = bound_sides(context)
        if sides is None:
            ask = as_requested(ask, self.request_fields(context.requested)) if context.request else ask
            sides = sides_of(context.work.campaign, context.character, ask, settings, is_gm=context.work.by.is_gm)
            _keep_out(context, settings)
        keep_hidden(sides.opponent, context.audience, field="versus")
        kind = RECOVERY if is_recovery(context) else KIND
        sides = replace(sides, a=with_extra_dice(sides.a, context.hook_context(NAME, kind)))
        terms = _terms(sides, settings) | (
            {RECOVERY: True} if kind == RECOVERY else both_play(sides.mine, sides.opponent)
        )
        terms |= {BOUND: True} if BOUND in context.requested else {}
        return PreparedRoll(kind=kind, terms=terms, count=sides.a.dice + sides.b.dice, die=Die(settings.sides))

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        """The faces of the roller's side come first."""
        ask, own = Asked(a=terms["a"]["dice"], b=terms["b"]["dice"]), settings.of(Settings)
        outcome = resolve(ask, faces, own)
        fell = tuple(die.face for die in (*outcome.a, *outcome.b))
        return Outcome(faces=fell, outcome=stored_outcome(outcome) | {"after": _after(terms, outcome, own)})

    def begins(self, roll: Roll) -> tuple[str, Mapping[str, Any]] | None:
        """What follows is settled as after a contest, where there is a character whom it concerns."""
        opponent = opponent_of(roll)
        if roll.character is None and opponent is None:
            return None
        settings = roll_settings(roll.campaign).of(Settings)
        mine = _side(roll.character, roll.by.name, settings)
        theirs = _side(opponent, roll.ask["versus"] or SOMEBODY, settings)
        return "contest", {"sides": [mine, theirs], "decisions": decisions_of(settings), "fell": roll.outcome}

    def held(self, roll: Roll, change: Change) -> None:
        """The corrected roll would let it all follow once more. Raises Blocked."""
        if change is Change.CORRECT and roll.outcome.get("follows"):
            raise Blocked("Something has followed from this roll already. Take it back and roll it anew.")

    def taken_back(self, roll: Roll) -> dict[str, Any]:
        """Return the mark that what followed from it is undone as well."""
        return {"unfollowed": True} if roll.outcome.get("follows") else {}

    def names(self, roll: Roll) -> list[Character]:
        opponent = opponent_of(roll)
        written = {UUID(who) for followed in roll.outcome.get("follows", {}).values() for who, _ in followed["done"]}
        others = Character.objects.filter(campaign=roll.campaign_id, pk__in=written).select_related("owner__user")
        return [*([opponent] if opponent else []), *others]

    def writes(self, roll: Roll) -> Sequence[Write]:
        return will_module.writes(roll)

    def wrote(self, roll: Roll) -> list[Written]:
        return will_module.wrote(roll)

    def card(self, roll: Roll) -> dict[str, Any]:
        return card_module.card(roll)

    def describe(self, payload: Payload) -> Payload:
        return words_module.describe(payload)

    def again(self, roll: Roll) -> Again | None:
        return words_module.again(roll)

    def preview(self, context: OddsContext, ask: DescriptorsInput) -> Odds | None:
        return preview_module.preview(context, ask)

    def request(self, context: OddsContext, ask: DescriptorsInput) -> Requested:
        return request_module.request(context, ask)

    def request_words(self, terms: Terms) -> str:
        return words_module.request_words(terms)

    def request_fields(self, terms: Terms) -> Terms:
        return words_module.request_fields(terms)
