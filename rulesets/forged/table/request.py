"""What a GM may ask for by the forged rules: an action in a position, resistance against a consequence, fortune."""

from __future__ import annotations

from campaigns.errors import Invalid
from campaigns.numbers import signed
from rolls.rules.errors import word
from rolls.services.requested import named
from rolls.table_rules import Looker, Requested
from rulesets.forged.rules.action import Effect, Position
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import Resisting
from rulesets.forged.rules.roll import fortune_pool
from rulesets.forged.table.ask import Ask, Kind, refused_at
from rulesets.forged.table.words import BECOMES


def request(looker: Looker, ask: Ask) -> Requested:
    """ "Prowl, risky, standard effect". Raises Invalid."""
    with refused_at():
        kind = word("kind", ask.kind, Kind)
    asked = {Kind.ACTION: _action, Kind.RESISTANCE: _resistance, Kind.FORTUNE: _fortune}[kind](ask)
    return Requested(terms={"kind": kind.value} | asked.terms, words=asked.words)


def _action(ask: Ask) -> Requested:
    if ask.rating is not None:
        raise Invalid("Name the action alone: its rating is the sheet’s, or the player’s to type.", field="action")
    action = named(action=ask.action)
    with refused_at():
        position, effect = word("position", ask.position, Position), word("effect", ask.effect, Effect)
    name = action.get("action", "An action")
    return Requested(
        terms=action | {"position": position.value, "effect": effect.value},
        words=f"{name[:1].upper()}{name[1:]}, {position.value}, {effect.value} effect",
    )


def _resistance(ask: Ask) -> Requested:
    with refused_at():
        attribute, resisting = word("attribute", ask.attribute, Attribute), word("resisting", ask.resisting, Resisting)
    against = named(consequence=ask.consequence)
    return Requested(
        terms=against | {"attribute": attribute.value, "resisting": resisting.value},
        words=f"Resist with {attribute.value}: {against.get('consequence', 'the consequence')} {BECOMES[resisting]}",
    )


def _fortune(ask: Ask) -> Requested:
    with refused_at(pool="trait"):
        fortune_pool(trait=ask.trait, advantages=ask.advantages, disadvantages=ask.disadvantages)
    changes = [signed(dice) for dice in (ask.advantages, -ask.disadvantages) if dice]
    return Requested(
        terms={"trait": ask.trait, "advantages": ask.advantages, "disadvantages": ask.disadvantages},
        words=" ".join([f"Fortune {ask.trait}", *changes]),
    )
