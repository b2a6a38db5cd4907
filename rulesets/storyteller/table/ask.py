"""How a Storyteller roll is asked for: its fields, the pool that they make, and the words for both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from campaigns.errors import Invalid
from campaigns.text import counted
from characters.models import Character
from characters.sheets.sheet import Values
from characters.sheets.traits import Trait
from rolls import table_rules as base
from rolls.rules.errors import word
from rolls.services.rule_errors import by_the_rules
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rulesets.storyteller import sheet
from rulesets.storyteller.rules.roll import Kind, Pool, typed_pool, wound_penalty
from rulesets.storyteller.settings import Settings

NAME = "storyteller"
OWN_KINDS = {"willpower": Kind.WILLPOWER, "humanity": Kind.HUMANITY, "virtues": Kind.VIRTUE}
"""By their group on the sheet, the traits that are rolled for their own sake, which is no action: Willpower and Humanity by
scale.txt, Scale Procedure, virtues by our decision."""
SPARED = {
    Kind.SOAK: "Soak is rolled with Stamina, Fortitude and Armour.",
    Kind.DAMAGE: "Damage is rolled with Strength and Potence.",
    Kind.INITIATIVE: "Initiative is rolled with Dexterity and Wits.",
}
"""What a player is told who would roll other traits as that: what makes such a roll (sheet.MADE_OF)."""


KIND_WORDS: Final = {
    Kind.ACTION: "action",
    Kind.SOAK: "soak",
    Kind.WILLPOWER: "Willpower",
    Kind.HUMANITY: "Humanity",
    Kind.VIRTUE: "virtue",
    Kind.INITIATIVE: "initiative",
    Kind.DAMAGE: "damage",
    Kind.OTHER: "other",
}


@dataclass(frozen=True, kw_only=True)
class StorytellerInput(base.RollInput):
    """A roll of `traits` of the character's sheet, or of a typed number of `dice` (1 to 100).

    `modifier` in dice, `difficulty` 2 to 10; `kind` one of storyteller.Kind, an action being what its traits make it (kind_of);
    `willpower` spends a point of the sheet, `automatic` asks to be let through without dice. `unhurt` leaves out what wounds
    would take from the pool.
    """

    system: ClassVar[str] = NAME

    traits: tuple[str, ...] = ()
    dice: int | None = None
    modifier: int = 0
    difficulty: int = 6
    kind: str = Kind.ACTION.value
    willpower: bool = False
    automatic: bool = False
    unhurt: bool = False


def kind_of(ask: StorytellerInput, values: Values) -> Kind:
    """Return what kind of roll it is on a sheet with these values. Traits that are rolled for their own sake make an action roll
    theirs, whatever form it comes from, and other traits are never rolled as that. Raises Invalid."""
    with by_the_rules():
        said = word("kind", ask.kind, Kind)
        traits = sheet.pool(values, ask.traits).traits if ask.traits else ()
    kinds = {OWN_KINDS.get(sheet.SHEET.group_of(trait.name)) for trait in traits}
    made = kinds.pop() if len(kinds) == 1 else None
    if said is Kind.ACTION:
        return made or said
    # What a row stands for is the table's to say: another Path has other virtues.
    named = any("/" not in trait.name for trait in traits)
    if named and said in OWN_KINDS.values() and said is not made:
        raise Invalid(f"{traits[0].label} is not rolled as that. Choose another kind of roll.", field="kind")
    return said


def check_spared(kind: Kind, ask: StorytellerInput, values: Values) -> None:
    """Refuse a player who would choose what feeds no Scale but by its traits: soak, damage and initiative are rolled with what
    makes them, Willpower, Humanity and virtues with themselves. All else is the GM's to choose, or to ask for. Raises Invalid."""
    if kind is Kind.ACTION or kind_of(replace(ask, kind=Kind.ACTION.value), values) is kind:
        return
    with by_the_rules():
        if ask.traits and sheet.makes(kind.value, sheet.pool(values, ask.traits).traits):
            return
    only = SPARED.get(kind, "Only your GM can choose this roll type.")
    raise Invalid(f"{only} Roll it as an action, or ask your GM to call for it.", field="kind")


def rated_values(character: Character | None) -> Values:
    """Return the values that traits are looked up in: none without a Storyteller sheet."""
    return character.sheet if character is not None and character.system == NAME else {}


def wounds_of(character: Character | None, ask: StorytellerInput, kind: Kind, settings: RollSettings) -> int:
    """Return the dice that the wounds on the sheet take from a pool of its traits, whether they are left out or not.

    Actions lose them, and no other roll; a number of dice is what somebody has counted already. Both are our decisions.
    """
    if kind is not Kind.ACTION or not ask.traits or not rated_values(character):
        return 0
    return wound_penalty(sheet.wounded(rated_values(character)), settings.of(Settings).wound_penalties)


def pool_of(
    character: Character | None, ask: StorytellerInput, extra_dice: int, wounds: int = 0
) -> tuple[Pool, tuple[Trait, ...]]:
    """Return the pool, and the traits that make it: none for a number of dice. `wounds` are those that count. Raises Invalid."""
    with by_the_rules():
        if ask.traits:
            return _rated(character, ask, extra_dice, wounds)
        if ask.dice is None:
            raise Invalid("Say what to roll: traits, or a number of dice.", field="pool")
        return typed_pool(ask.dice, modifier=ask.modifier, extra_dice=extra_dice), ()


def _rated(
    character: Character | None, ask: StorytellerInput, extra_dice: int, wounds: int
) -> tuple[Pool, tuple[Trait, ...]]:
    if character is None:
        raise Invalid("Choose a character to roll traits, or type a number of dice.", field="pool")
    if character.system != NAME:
        raise Invalid(f"{character.name} has no Storyteller traits. Type a number of dice.", field="pool")
    rated = sheet.pool(character.sheet, ask.traits)
    pool = Pool(dots=rated.dice, modifier=ask.modifier, extra_dice=extra_dice, wounds=wounds, ability=rated.ability)
    return pool, rated.traits


def trait_words(traits: Iterable[Mapping[str, str]]) -> list[str]:
    """Return what the traits that a roll keeps are called: the sheet's own by its labels, rows as somebody named them."""
    return [trait.get("name") or sheet.label_of(trait["code"]) for trait in traits]


def asked_pool(terms: Terms) -> str:
    """Return what the terms of a request put into the field of the pool; "" where the player says what to roll."""
    return _asked_traits(terms) or str(terms.get("dice") or "")


def asked_words(terms: Terms) -> str:
    """Return what a request asks for, such as "Perception + Alertness, difficulty 7"."""
    kind, traits = Kind(terms["kind"]), _asked_traits(terms)
    if dice := terms.get("dice"):
        traits = counted(dice, "die")
    # Traits that make it what it is say so themselves.
    said = kind is Kind.ACTION or (traits and kind in OWN_KINDS.values())
    named = "" if said else f", {KIND_WORDS[kind]}"
    return f"{traits or 'A roll'}, difficulty {terms['difficulty']}{named}"


def _asked_traits(terms: Terms) -> str:
    return " + ".join(sheet.label_of(code) for code in terms.get("traits", ()))
