"""What a forged sheet gives to a roll; a character of other rules has nothing to give."""

from __future__ import annotations

from campaigns.errors import Invalid
from characters.models import Character
from rulesets.forged import sheet
from rulesets.forged.rules.body import ACTIONS, Attribute
from rulesets.forged.sheet import Rating
from rulesets.forged.table.ask import LONGEST_WORDS, NAME, RollInput, refused_at, short_words


def has_sheet(character: Character | None) -> bool:
    return character is not None and character.system == NAME


def rated_action(character: Character | None, ask: RollInput) -> Rating:
    """The action that is rolled, from the sheet or as typed; `name` "" where only a rating was. Raises Invalid."""
    name = short_words(ask.action, "action")
    if ask.rating is not None:
        return Rating(name, name.capitalize() or "Action", _attribute_of(name), ask.rating)
    if not name:
        raise Invalid("Say which action, or type a rating from 0 to 4.", field="action")
    if character is None or not has_sheet(character):
        whose = character.name if character else "Nobody at hand"
        raise Invalid(f"{whose} has no forged sheet. Type a rating too, such as “{name[:20]} 2”.", field="action")
    with refused_at(pool="action"):
        return sheet.action(character.values, name)


def rated_attribute(character: Character | None, attribute: Attribute, ask: RollInput) -> int:
    """The rating to resist with, typed or from the sheet. Raises Invalid."""
    if ask.rating is not None:
        return ask.rating
    if character is None or not has_sheet(character):
        raise Invalid(f"Type a rating of {attribute.capitalize()}, from 0 to 4.", field="rating")
    return sheet.attribute(character.values, attribute)


def attribute_ratings(character: Character | None) -> dict[str, int | None]:
    """The three attributes with their ratings, None where there is no sheet to say."""
    if character is None or not has_sheet(character):
        return {attribute.value: None for attribute in Attribute}
    return {attribute.value: sheet.attribute(character.values, attribute) for attribute in Attribute}


def harms(character: Character | None) -> dict[int, str]:
    """Return what harm there is on the sheet, in words, by its level from 1 to 3."""
    if character is None or not has_sheet(character):
        return {}
    return {level: ", ".join(names)[:LONGEST_WORDS] for level, names in sheet.harm(character.values).items()}


def is_harmed(character: Character | None, ask: RollInput) -> bool:
    """Return whether moderate harm of the sheet would take a die from this action, which is one of its ratings."""
    return ask.rating is None and bool(harms(character).get(2))


def _attribute_of(name: str) -> str:
    """The attribute that the public rules put an action under; "" for actions of other games."""
    return next((attribute.value for attribute, actions in ACTIONS.items() if name.lower() in actions), "")
