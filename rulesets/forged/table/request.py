"""What a GM may ask for by the forged rules: an action in a position, resistance against a consequence, fortune."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from campaigns.errors import Invalid
from campaigns.schema import Code, Name, Schema
from characters.models import Character
from rolls.rules.errors import word
from rolls.services.request_terms import named
from rolls.table_rules import OddsContext, Requested, Terms
from rulesets.forged.rules.action import Effect, Position
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import Resisting
from rulesets.forged.rules.roll import fortune_pool
from rulesets.forged.sheet import action
from rulesets.forged.table.ask import NAME, Kind, Push, RollInput, refused_at


class RequestTerms(Schema):
    """What is kept of what is asked for; the action and the consequence as the GM has typed them."""

    kind: Code
    action: Name | None = None
    position: Code | None = None
    effect: Code | None = None
    consequence: Name | None = None
    attribute: Code | None = None
    resisting: Code | None = None
    trait: int | None = None
    advantages: int | None = None
    disadvantages: int | None = None


SET_BY_GM: Final = ("position", "effect", "attribute", "resisting")


def request(context: OddsContext, ask: RollInput) -> Requested:
    """What `words.request_words` says; what a player announces has a position and an effect once the GM sets them. Raises
    Invalid."""
    with refused_at():
        kind = word("kind", ask.kind, Kind)
    terms = {Kind.ACTION: _action, Kind.RESISTANCE: _resistance, Kind.FORTUNE: _fortune}[kind](ask)
    if not context.is_gm:
        terms = {name: value for name, value in terms.items() if name not in SET_BY_GM}
    return Requested(terms={"kind": kind.value} | terms)


def announces(ask: RollInput) -> tuple[str, Mapping[str, Any]] | None:
    """An action of somebody's forged sheet is settled on its card; others are announced as requests. Raises Invalid for what is
    no action."""
    theirs = Character.objects.filter(pk=ask.character, system=NAME) if ask.character else None
    if ask.kind != Kind.ACTION or ask.rating is not None or theirs is None or not theirs.exists():
        return None
    if not ask.action.strip():
        raise Invalid("Say which action you announce.", field="action")
    with refused_at(pool="action"):
        named = action({}, ask.action).name
    pushes = {"push_die": ask.push in (Push.DIE, Push.BOTH), "push_effect": ask.push in (Push.EFFECT, Push.BOTH)}
    return "action", {"character": ask.character, "action": named, "group": False, "setup": False} | pushes


def _action(ask: RollInput) -> Terms:
    if ask.rating is not None:
        raise Invalid("Name the action alone: its rating is the sheet’s, or the player’s to type.", field="action")
    name = named(action=ask.action)
    with refused_at():
        position, effect = word("position", ask.position, Position), word("effect", ask.effect, Effect)
    return name | {"position": position.value, "effect": effect.value}


def _resistance(ask: RollInput) -> Terms:
    with refused_at():
        attribute, resisting = word("attribute", ask.attribute, Attribute), word("resisting", ask.resisting, Resisting)
    against = named(consequence=ask.consequence)
    return against | {"attribute": attribute.value, "resisting": resisting.value}


def _fortune(ask: RollInput) -> Terms:
    with refused_at(pool="trait"):
        fortune_pool(trait=ask.trait, advantages=ask.advantages, disadvantages=ask.disadvantages)
    return {"trait": ask.trait, "advantages": ask.advantages, "disadvantages": ask.disadvantages}
