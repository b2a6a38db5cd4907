"""What a Storyteller roll is asked with, and the pool that makes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from campaigns.errors import Invalid
from characters.models import Character
from characters.sheets import storyteller as sheet
from rolls.rules.errors import word
from rolls.rules.storyteller import Kind
from rolls.rules.storyteller_pool import Pool, typed_pool
from rolls.services.refusal import by_the_rules
from rolls.services.systems import base

NAME = "storyteller"


@dataclass(frozen=True, kw_only=True)
class Ask(base.Ask):
    """A roll of `traits` of the character's sheet, or of a typed number of `dice` (1 to 100).

    `modifier` in dice, `difficulty` 2 to 10, `kind` one of storyteller.Kind; `willpower` spends a point of the sheet,
    `automatic` asks to be let through without dice.
    """

    system: ClassVar[str] = NAME

    traits: tuple[str, ...] = ()
    dice: int | None = None
    modifier: int = 0
    difficulty: int = 6
    kind: str = Kind.ACTION.value
    willpower: bool = False
    automatic: bool = False


def kind_of(named: str) -> Kind:
    """The kind of roll that is named. Raises Invalid."""
    with by_the_rules():
        return word("kind", named, Kind)


def pool_of(character: Character | None, ask: Ask, burn_dice: int) -> tuple[Pool, str]:
    """The pool, and the words for it. Raises Invalid."""
    with by_the_rules():
        if ask.traits:
            return _rated(character, ask, burn_dice)
        if ask.dice is None:
            raise Invalid("Say what to roll: traits, or a number of dice.", field="pool")
        pool = typed_pool(ask.dice, modifier=ask.modifier, burn_dice=burn_dice)
        return pool, "1 die" if ask.dice == 1 else f"{ask.dice} dice"


def _rated(character: Character | None, ask: Ask, burn_dice: int) -> tuple[Pool, str]:
    if character is None:
        raise Invalid("Choose a character to roll traits, or type a number of dice.", field="pool")
    if character.system != NAME:
        raise Invalid(f"{character.name} has no Storyteller traits. Type a number of dice.", field="pool")
    rated = sheet.pool(character.sheet, ask.traits)
    return Pool(dots=rated.dice, modifier=ask.modifier, burn_dice=burn_dice, ability=rated.ability), rated.label
