"""What a GM may ask for in Storyteller: traits, a difficulty, what the roll is, and whether a large pool may go without dice."""

from __future__ import annotations

from dataclasses import replace

from campaigns.schema import Code, Schema
from rolls.models import RollRequest
from rolls.rules.errors import whole
from rolls.services.request_terms import as_requested, check_seen
from rolls.services.rule_errors import by_the_rules
from rolls.table_rules import OddsContext, Requested
from rulesets.storyteller import sheet
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY
from rulesets.storyteller.table.ask import StorytellerInput, kind_of
from rulesets.storyteller.table.words import asked_pool


class RequestTerms(Schema):
    """`dice` is a number of them that is nobody's traits: only procedures ask for that."""

    difficulty: int
    kind: Code
    automatic: bool
    traits: list[Code] | None = None
    dice: int | None = None


def request(context: OddsContext, ask: StorytellerInput) -> Requested:
    """Perception and Alertness at a difficulty of 7. Raises Invalid."""
    # No sheet yet: only whether there are such traits, what they are called and what they make of the roll.
    kind = kind_of(ask, {})
    with by_the_rules():
        difficulty = whole("difficulty", ask.difficulty, LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY)
        traits = [trait.name for trait in sheet.pool({}, ask.traits).traits] if ask.traits else []
    terms = {"difficulty": difficulty, "kind": kind.value, "automatic": ask.automatic}
    return Requested(terms=terms | ({"traits": traits} if traits else {}))


def bound(asked: RollRequest | None, ask: StorytellerInput) -> StorytellerInput:
    """The ask with the GM's terms. Whether to go without dice, where that is allowed, is the player's to say. Raises Conflict."""
    if asked is None:
        return ask
    terms = {field: asked.terms[field] for field in ("difficulty", "kind")}
    ask = as_requested(ask, terms)
    if not asked_pool(asked.terms):
        return ask
    with by_the_rules():
        typed = "" if ask.dice is None else str(ask.dice)
        seen = sheet.pool({}, ask.traits).label if ask.traits else typed
    check_seen("pool", seen, asked_pool(asked.terms))
    return replace(ask, traits=tuple(asked.terms.get("traits", ())), dice=asked.terms.get("dice"))
