"""What a GM may ask for by the forged rules: an action in a position, resistance against a consequence, fortune."""

from __future__ import annotations

from typing import Final

from campaigns.errors import Invalid
from campaigns.schema import CODE, NAME, Fields, Maybe
from rolls.rules.errors import word
from rolls.services.request_terms import named
from rolls.table_rules import OddsContext, Requested, Terms
from rulesets.forged.rules.action import Effect, Position
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import Resisting
from rulesets.forged.rules.roll import fortune_pool
from rulesets.forged.table.ask import Kind, RollInput, refused_at

SCHEMA: Final[Fields] = {
    "kind": CODE,
    "action": Maybe(NAME),
    "position": Maybe(CODE),
    "effect": Maybe(CODE),
    "consequence": Maybe(NAME),
    "attribute": Maybe(CODE),
    "resisting": Maybe(CODE),
    "trait": Maybe(int),
    "advantages": Maybe(int),
    "disadvantages": Maybe(int),
}
"""What is kept of what is asked for; the action and the consequence as the GM has typed them."""


def request(context: OddsContext, ask: RollInput) -> Requested:
    """What `words.request_words` says. Raises Invalid."""
    with refused_at():
        kind = word("kind", ask.kind, Kind)
    terms = {Kind.ACTION: _action, Kind.RESISTANCE: _resistance, Kind.FORTUNE: _fortune}[kind](ask)
    return Requested(terms={"kind": kind.value} | terms)


def _action(ask: RollInput) -> Terms:
    if ask.rating is not None:
        raise Invalid("Name the action alone: its rating is the sheet’s, or the player’s to type.", field="action")
    action = named(action=ask.action)
    with refused_at():
        position, effect = word("position", ask.position, Position), word("effect", ask.effect, Effect)
    return action | {"position": position.value, "effect": effect.value}


def _resistance(ask: RollInput) -> Terms:
    with refused_at():
        attribute, resisting = word("attribute", ask.attribute, Attribute), word("resisting", ask.resisting, Resisting)
    against = named(consequence=ask.consequence)
    return against | {"attribute": attribute.value, "resisting": resisting.value}


def _fortune(ask: RollInput) -> Terms:
    with refused_at(pool="trait"):
        fortune_pool(trait=ask.trait, advantages=ask.advantages, disadvantages=ask.disadvantages)
    return {"trait": ask.trait, "advantages": ask.advantages, "disadvantages": ask.disadvantages}
