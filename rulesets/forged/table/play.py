"""Forged rolls at the table: an action in the position that the GM has said, resistance against what came of it, fortune."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from campaigns.errors import Invalid
from campaigns.kinds import Payload
from characters.models import Character
from rolls.models import Roll
from rolls.rules.dice import Faces
from rolls.rules.effects import Write
from rolls.services.request_terms import as_requested
from rolls.settings import RollSettings
from rolls.table_rules import Again, Odds, OddsContext, Outcome, PreparedRoll, Requested, RollContext, TableRules, Terms
from rulesets.forged.rules.action import ASSIST_COST, Effect, Position
from rulesets.forged.rules.action_before import FULL_STRESS, SEVERE_HARM
from rulesets.forged.rules.roll import D6, Pool
from rulesets.forged.settings import Settings
from rulesets.forged.table import action, fortune, resistance
from rulesets.forged.table import card as card_module
from rulesets.forged.table import preview as preview_module
from rulesets.forged.table import request as request_module
from rulesets.forged.table import stress as stress_module
from rulesets.forged.table import words as words_module
from rulesets.forged.table.ask import Kind, RollInput
from rulesets.forged.table.card import Card
from rulesets.forged.table.request import RequestTerms
from rulesets.forged.table.sheet import harms, has_sheet
from rulesets.forged.table.stress import character_of, check_room, is_staged, marks
from rulesets.forged.table.terms import terms_of


def _check_said(context: RollContext, ask: RollInput) -> None:
    """Position and effect are the GM's (forged.txt, The GM Sets the Position). Raises Invalid where a campaign holds to it."""
    free = context.work.by.is_gm or context.request is not None or not context.settings.of(Settings).only_gm_sets
    said = (ask.position, ask.effect, ask.trade, ask.setup, ask.ability)
    if not free and said != (Position.RISKY, Effect.STANDARD, "", False, 0):
        message = "The GM sets position and effect: announce the action, or roll it risky with standard effect."
        raise Invalid(message, field="position")


def _check_able(context: RollContext, ask: RollInput) -> None:
    """Full stress brings its trauma first; severe harm asks for help or a push. Raises Barred, unless a GM allows it.

    Of a staged action its own card has said so.
    """
    character = context.character
    if is_staged(context.request) or character is None or not has_sheet(character):
        return
    if character.number("stress") >= context.settings.of(Settings).boxes:
        context.bar(FULL_STRESS, f"The stress of {character.name} is full: the trauma comes first.")
    if harms(character).get(3) and ask.rating is None and not (ask.incapacitated or ask.helper):
        context.bar(SEVERE_HARM, f"Severe harm: {character.name} acts only with help, or by a push of 2 stress.")


def _helper(context: RollContext, wanted: UUID) -> Character:
    """Another player's character at this table (forged.txt, Assist). Raises Invalid."""
    others = Character.objects.active().filter(campaign=context.work.campaign).exclude(owner=None)
    helper = others.with_related().filter(pk=wanted).first()
    if helper is None:
        raise Invalid("Only a player’s character who is in play can help.", field="helper")
    if context.character is not None and helper.pk == context.character.pk:
        raise Invalid("Nobody helps themselves. Choose another character.", field="helper")
    return helper


class ForgedTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    correctable = ("position", "effect", "trade", "reduced", "resisting")
    typed = ("bargain",)

    def prepare(self, context: RollContext, ask: RollInput) -> PreparedRoll:
        """Raises Invalid for what the rules do not allow, at the field at fault; also for a helper who cannot help, for a push
        without room on the stress track. Raises Conflict where the GM has just asked for something else."""
        ask = as_requested(ask, context.requested)
        terms = terms_of(context.character, ask, context.settings.of(Settings))
        helper = _helper(context, ask.helper) if ask.helper and terms["kind"] == Kind.ACTION else None
        if terms["kind"] == Kind.ACTION:
            terms |= {"helper": str(helper.pk) if helper else None}
            _check_said(context, ask)
            _check_able(context, ask)
            check_room(context.character, terms["stress"], "push", context.settings.of(Settings))
            if helper is not None and (helper.written_by(context.work.by) or is_staged(context.request)):
                check_room(helper, ASSIST_COST, "helper", context.settings.of(Settings))
        if terms["kind"] != Kind.FORTUNE:
            terms |= marks(context, helper)
        # What is the GM's to set (forged.txt, The GM Sets the Position, Resistance) is told as a player's word where it is only
        # that.
        terms |= {"set_by_gm": context.work.by.is_gm or context.request is not None or terms["kind"] == Kind.FORTUNE}
        if terms["kind"] == Kind.ACTION and not terms["set_by_gm"]:
            terms |= {"usual": context.settings.of(Settings).only_gm_sets}
        return PreparedRoll(kind=terms["kind"], terms=terms, count=Pool(terms["dice"]).rolled, die=D6)

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        """Where the pool came from no longer matters; position and effect do, since the GM may have corrected them."""
        fell: tuple[tuple[int, ...], dict[str, Any]]
        if terms["kind"] == Kind.ACTION:
            fell = action.read(terms, faces, settings.of(Settings))
        elif terms["kind"] == Kind.RESISTANCE:
            fell = resistance.read(terms, faces)
        else:
            fell = fortune.read(terms, faces)
        return Outcome(faces=fell[0], outcome=fell[1])

    def names(self, roll: Roll) -> list[Character]:
        helper = character_of(roll, roll.ask.get("helper"))
        return [helper] if helper else []

    def writes(self, roll: Roll) -> Sequence[Write]:
        return stress_module.writes(roll)

    def card(self, roll: Roll) -> dict[str, Any]:
        return card_module.card(roll)

    def describe(self, payload: Payload) -> Payload:
        return words_module.describe(payload)

    def again(self, roll: Roll) -> Again | None:
        return words_module.again(roll)

    def preview(self, context: OddsContext, ask: RollInput) -> Odds | None:
        return preview_module.preview(context, ask)

    def request(self, context: OddsContext, ask: RollInput) -> Requested:
        return request_module.request(context, ask)

    def announces(self, ask: RollInput) -> tuple[str, Mapping[str, Any]] | None:
        return request_module.announces(ask)

    def request_words(self, terms: Terms) -> str:
        return words_module.request_words(terms)
