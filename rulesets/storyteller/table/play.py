"""Storyteller rolls at the table: traits of a sheet or a typed pool against a difficulty."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns.errors import Forbidden, Invalid
from campaigns.kinds import Payload
from characters.models import Character
from characters.reasons import ROLL
from characters.sheets.steps import Shift
from characters.sheets.traits import Trait
from rolls.models import Roll
from rolls.rules.blocks import Block
from rolls.rules.dice import Faces
from rolls.rules.effects import Write
from rolls.services.joining import extra_dice
from rolls.services.rule_errors import by_the_rules
from rolls.settings import RollSettings
from rolls.table_rules import Again, Odds, OddsContext, Outcome, PreparedRoll, Requested, RollContext, TableRules, Terms
from rulesets.storyteller.rules import roll as rules
from rulesets.storyteller.rules.pool import typed_pool
from rulesets.storyteller.rules.roll import Kind
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import is_incapacitated
from rulesets.storyteller.table import card as card_module
from rulesets.storyteller.table import preview as preview_module
from rulesets.storyteller.table import request as request_module
from rulesets.storyteller.table import words as words_module
from rulesets.storyteller.table.ask import (
    NAME,
    StorytellerInput,
    check_spared,
    kind_of,
    pool_of,
    rated_values,
    wounds_of,
)
from rulesets.storyteller.table.card import Card, stored_outcome
from rulesets.storyteller.table.counted import StorytellerCountable
from rulesets.storyteller.table.request import RequestTerms, bound
from rulesets.storyteller.table.words import stored_traits

INCAPACITATED = Block("incapacitated", "while incapacitated")


def _check_able(context: RollContext, kind: Kind) -> None:
    """Whoever is incapacitated takes no actions, unless the table has it otherwise: our decision, as are all figures."""
    values = rated_values(context.character)
    if kind is not Kind.ACTION or not values or context.settings.of(Settings).incapacitated_may_act:
        return
    if context.character and is_incapacitated(values):
        name = context.character.name
        context.block(INCAPACITATED, f"{name} is incapacitated: no action before a health level is healed.")


def _check_willpower(character: Character | None) -> None:
    if character is None:
        raise Invalid("Only a character has Willpower to spend.", field="willpower")
    if character.number("willpower_now") < 1:
        raise Invalid(f"{character.name} has no Willpower left to spend.", field="willpower")


def _check_let_through(context: RollContext) -> None:
    """storyteller.txt, Automatic Successes: the GM may wave a roll through."""
    allowed = context.settings.of(Settings).automatic_success or (
        context.request and context.request.terms["automatic"]
    )
    if not (context.work.by.is_gm or allowed):
        raise Forbidden("Only the GM lets a roll through without dice.")


def _terms(asked: rules.Ask, traits: Iterable[Trait], ask: StorytellerInput, wounds: int) -> Terms:
    pool = asked.pool
    return {
        "traits": stored_traits(traits),
        "dots": pool.dots,
        "modifier": pool.modifier,
        "extra_dice": pool.extra_dice,
        "wounds": pool.wounds,
        "wounds_left_out": wounds - pool.wounds,
        "ability": pool.ability,
        "dice": pool.dice,
        "difficulty": asked.difficulty,
        "kind": asked.kind.value,
        "willpower": asked.willpower,
        "automatic": ask.automatic,
    }


class StorytellerTable(TableRules):
    schema = Card
    request_schema = RequestTerms
    correctable = ("difficulty", "kind", "ability")
    counted = StorytellerCountable()

    def prepare(self, context: RollContext, ask: StorytellerInput) -> PreparedRoll:
        """Raises Invalid for what the rules do not allow, Conflict when the GM has changed the request meanwhile, Forbidden for
        an automatic success that nobody allowed."""
        character = context.character
        ask = bound(context.request, ask)
        kind = kind_of(ask, rated_values(character))
        if not context.work.by.is_gm and context.requested.get("kind") != kind.value:
            check_spared(kind, ask, rated_values(character))
        _check_able(context, kind)
        hook_context = context.hook_context(NAME, kind.value, has_dice=not ask.automatic)
        wounds = wounds_of(character, ask, kind, context.settings)
        pool, traits = pool_of(character, ask, extra_dice(hook_context), 0 if ask.unhurt else wounds)
        with by_the_rules():
            asked = rules.Ask(pool=pool, difficulty=ask.difficulty, kind=kind, willpower=ask.willpower)
        if ask.automatic:
            _check_let_through(context)
        if ask.willpower:
            _check_willpower(character)
        count = 0 if ask.automatic else pool.dice
        return PreparedRoll(kind=kind.value, terms=_terms(asked, traits, ask, wounds), count=count)

    def read(self, terms: Terms, faces: Faces, settings: RollSettings) -> Outcome:
        """How the pool came to be no longer matters, only how many dice it had; without dice, how many dots, since modifiers do
        not count there."""
        automatic = terms["automatic"]
        ask = rules.Ask(
            pool=typed_pool(terms["dots" if automatic else "dice"], ability=terms["ability"]),
            difficulty=terms["difficulty"],
            kind=Kind(terms["kind"]),
            willpower=terms["willpower"],
        )
        outcome = rules.succeed_automatically(ask) if automatic else rules.resolve(ask, faces, settings.of(Settings))
        return Outcome(faces=outcome.faces, outcome=stored_outcome(outcome))

    def writes(self, roll: Roll) -> list[Write]:
        """The point of Willpower that was spent on it."""
        if not roll.ask["willpower"] or roll.character_id is None:
            return []
        return [Write(character=str(roll.character_id), steps=(Shift("willpower_now", -1),), why=ROLL)]

    def card(self, roll: Roll) -> dict[str, Any]:
        return card_module.card(roll)

    def describe(self, payload: Payload) -> Payload:
        return words_module.describe(payload)

    def again(self, roll: Roll) -> Again | None:
        return words_module.again(roll)

    def preview(self, context: OddsContext, ask: StorytellerInput) -> Odds | None:
        return preview_module.preview(context, ask)

    def request(self, context: OddsContext, ask: StorytellerInput) -> Requested:
        return request_module.request(context, ask)

    def request_words(self, terms: Terms) -> str:
        return words_module.request_words(terms)

    def request_fields(self, terms: Terms) -> Terms:
        return words_module.request_fields(terms)
