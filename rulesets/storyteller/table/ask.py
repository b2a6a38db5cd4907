"""How a Storyteller roll is asked for: its fields, the pool that they make, and the words for both."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Final
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from campaigns.models import Viewer
from characters.models import Character
from characters.sheets.sheet import Values
from characters.sheets.traits import Trait
from languages.text import gettext_lazy, pgettext_lazy
from rolls import table_rules as base
from rolls.models import Procedure, Roll
from rolls.queries.procedures import open_to
from rolls.services.roll_context import by_the_rules
from rolls.settings import RollSettings
from rolls.table_rules import Terms
from rules.errors import word
from rules.messages import Message, gettext, joined, ngettext, worded
from rulesets.storyteller import sheet
from rulesets.storyteller.rules.roll import Kind, Pool, typed_pool, wound_penalty
from rulesets.storyteller.settings import Settings

# One point of Willpower in a turn, where a conflict runs the turns (storyteller.txt, Automatic Successes).


def turn_of(character: Character) -> str:
    """Return the round of the conflict in which a character takes part, as its rolls keep it; "" outside turns."""
    open_now = Procedure.objects.filter(campaign=character.campaign_id, closed_at=None)
    return _turn_among(open_now.filter(system=character.system, kind="conflict"), character)


def _turn_among(conflicts: Iterable[Procedure], character: Character) -> str:
    for conflict in conflicts:
        if any(one["character"] == str(character.pk) for one in conflict.state["participants"]):
            return f"{conflict.pk} {conflict.state['round']}"
    return ""


def has_paid(character: UUID, turn: str) -> bool:
    """Return whether a roll of the character that stands has spent a point in this turn."""
    return Roll.objects.filter(character=character, voided_at=None, ask__turn=turn).exists()


def spent(viewer: Viewer, character: Character) -> str:
    """Return in a few words why a character can spend no point now, as far as turns are concerned; "" if they can."""
    open_now = (one for one in open_to(viewer) if (one.system, one.kind) == (character.system, "conflict"))
    turn = _turn_among(open_now, character)
    return _("spent this round") if turn and has_paid(character.pk, turn) else ""


def paid_words(name: str) -> str:
    """Return the message for a second point in a turn."""
    words = _("{name} has already spent Willpower this turn. The next point can be spent in the next round.")
    return words.format(name=name)


NAME = "storyteller"
OWN_KINDS = {
    "willpower": Kind.WILLPOWER,
    "inspiration": Kind.INSPIRATION,
    "humanity": Kind.HUMANITY,
    "virtues": Kind.VIRTUE,
}
"""Traits by their group on the sheet that are rolled alone, which is no action: Willpower and Humanity by scale.txt,
Scale Procedure, Inspiration and virtues by our decision.
"""
SPARED = {
    Kind.SOAK: gettext_lazy("Soak is rolled with Stamina, Fortitude and Armour."),
    Kind.DAMAGE: gettext_lazy("Damage is rolled with Strength and Potence."),
    Kind.INITIATIVE: gettext_lazy("Initiative is rolled with Dexterity and Wits."),
}
"""The message to a player who rolls such a kind with other traits: what it is rolled with (sheet.MADE_OF)."""


KIND_WORDS: Final = {
    Kind.ACTION: pgettext_lazy("a type of roll", "action"),
    Kind.SOAK: pgettext_lazy("a type of roll", "soak"),
    Kind.WILLPOWER: pgettext_lazy("a type of roll", "Willpower"),
    Kind.INSPIRATION: pgettext_lazy("a type of roll", "Inspiration"),
    Kind.HUMANITY: pgettext_lazy("a type of roll", "Humanity"),
    Kind.VIRTUE: pgettext_lazy("a type of roll", "virtue"),
    Kind.INITIATIVE: pgettext_lazy("a type of roll", "initiative"),
    Kind.DAMAGE: pgettext_lazy("a type of roll", "damage"),
    Kind.OTHER: pgettext_lazy("a type of roll", "other"),
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
    """Return the kind of roll for a sheet with these values. Traits with a roll of their own turn an action into that
    roll, whatever form it comes from, and other traits never make one. Raises Invalid.
    """
    with by_the_rules():
        said = word("kind", ask.kind, Kind)
        traits = sheet.pool(values, ask.traits).traits if ask.traits else ()
    kinds = {OWN_KINDS.get(sheet.SHEET.group_of(trait.name)) for trait in traits}
    made = kinds.pop() if len(kinds) == 1 else None
    if said is Kind.ACTION:
        return made or said
    # The group decides what a row is: another Path has other virtues.
    named = any("/" not in trait.name for trait in traits)
    if named and said in OWN_KINDS.values() and said is not made:
        message = _("{trait} can’t be rolled as that. Choose another roll type.").format(trait=traits[0].label)
        raise Invalid(message, field="kind")
    return said


def check_spared(kind: Kind, ask: StorytellerInput, values: Values) -> None:
    """Refuse a player who would choose what feeds no Scale but by its traits: soak, damage and initiative are rolled with what
    makes them, Willpower, Humanity and virtues with themselves. All else is the GM's to choose, or to ask for. Raises Invalid."""
    if kind is Kind.ACTION or kind_of(replace(ask, kind=Kind.ACTION.value), values) is kind:
        return
    with by_the_rules():
        if ask.traits and sheet.makes(kind.value, sheet.pool(values, ask.traits).traits):
            return
    reason = SPARED.get(kind) or _("Only your GM can choose this roll type.")
    instead = _("Roll it as an action, or ask your GM to call for it.")
    raise Invalid(f"{reason} {instead}", field="kind")


def no_one_to_pay() -> str:
    """Return the message for Willpower that is to be spent without a character to spend it."""
    return _("Only characters can spend Willpower.")


def no_traits(character: Character) -> str:
    """Return the message for traits asked of a character of another game."""
    return _("{name} has no Storyteller traits. Type a number of dice.").format(name=character.name)


def quick_pool(character: Character | None) -> int:
    """Return the dice that a quick NPC rolls for anything; 0 for all others."""
    if character is None or character.system != NAME or not character.is_npc:
        return 0
    return sheet.SHEET.number(character.secret, sheet.POOL)


def rated_values(character: Character | None) -> Values:
    """Return the values that traits are looked up in: none without a Storyteller sheet."""
    return character.sheet if character is not None and character.system == NAME else {}


def wounds_of(character: Character | None, ask: StorytellerInput, kind: Kind, settings: RollSettings) -> int:
    """Return the dice that wounds on the sheet take from a pool of its traits, whether they are left out or not.

    Only actions lose them, and a typed number of dice already accounts for wounds. Both are our decisions.
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
            raise Invalid(_("Type what to roll: traits or a number of dice."), field="pool")
        return typed_pool(ask.dice, modifier=ask.modifier, extra_dice=extra_dice), ()


def _rated(
    character: Character | None, ask: StorytellerInput, extra_dice: int, wounds: int
) -> tuple[Pool, tuple[Trait, ...]]:
    if character is None:
        raise Invalid(_("Choose a character to roll traits, or type a number of dice."), field="pool")
    if character.system != NAME:
        raise Invalid(no_traits(character), field="pool")
    rated = sheet.pool(character.sheet, ask.traits)
    pool = Pool(dots=rated.dice, modifier=ask.modifier, extra_dice=extra_dice, wounds=wounds, ability=rated.ability)
    return pool, rated.traits


def trait_words(traits: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the names of the traits that a roll keeps: labels of the sheet's own, and the typed names of rows."""
    return [trait.get("name") or sheet.label_of(trait["code"]) for trait in traits]


def asked_pool(terms: Terms) -> str:
    """Return the pool field's value for a request's terms; "" if the player chooses."""
    return _asked_traits(terms) or str(terms.get("dice") or "")


def asked_words(terms: Terms) -> str:
    """Return words for a request, such as "Perception + Alertness, difficulty 7"."""
    return str(asked_said(terms))


def asked_said(terms: Terms) -> Message:
    """Return the same as it is stored."""
    kind, dice = Kind(terms["kind"]), terms.get("dice")
    own = joined(" + ", map(sheet.label_said, terms.get("traits", ())))
    traits = ngettext("{count} die", "{count} dice", dice) if dice else own
    words, is_set = [traits or gettext("A roll")], terms.get("difficulty") is not None
    if is_set:
        words.append(gettext("difficulty {difficulty}", difficulty=terms["difficulty"]))
    # Kinds made of their own traits describe themselves.
    if kind is not Kind.ACTION and not (traits and kind in OWN_KINDS.values()):
        words.append(worded(KIND_WORDS[kind]))
    if terms.get("automatic"):
        words.append(gettext("automatic success allowed") if is_set else gettext("asks for an automatic success"))
    return joined(", ", words)


def _asked_traits(terms: Terms) -> str:
    return " + ".join(sheet.label_of(code) for code in terms.get("traits", ()))
