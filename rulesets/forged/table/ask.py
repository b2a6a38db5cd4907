"""The input of a forged roll, what the sheet gives to it, and where its form is at fault when the rules refuse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from characters.models import Character
from rolls import table_rules as base
from rolls.services.roll_context import by_the_rules
from rulesets.forged import sheet
from rulesets.forged.rules.action import Effect, Position
from rulesets.forged.rules.body import ACTIONS, Attribute
from rulesets.forged.rules.consequence import Resisting
from rulesets.forged.rules.roll import check_more
from rulesets.forged.sheet import Rating

NAME = "forged"
LONGEST_WORDS = 120


class Kind(StrEnum):
    """The three rolls of these rules, which need only dice and a sheet."""

    ACTION = "action"
    RESISTANCE = "resistance"
    FORTUNE = "fortune"


class Push(StrEnum):
    """The benefits someone pushes themselves for, 2 stress each (forged.txt, Push Yourself)."""

    NOTHING = ""
    DIE = "die"
    EFFECT = "effect"
    BOTH = "both"


@dataclass(frozen=True, kw_only=True)
class ForgedInput(base.RollInput):
    """One of the three kinds of rolls; fields of the others are ignored.

    Action: the name of an `action` of the sheet, or a typed `rating` (0 to 4) with or without a name; `position` and
    `effect` as the GM has said; `helper` is the character who assists, `bargain` says in words what a Devil's Bargain
    costs. `harm1` and `harm2`: a harm of that level applies; moderate harm of the sheet does so to its actions, unless
    the roll is `unhurt`. `ability`: levels of effect that special abilities add, 0 to 10; `more`: dice that they add to
    any roll, or take, -6 to 6, with their reason `more_from`. One that is made in a `group` says its dice alone. Resistance: an
    `attribute` of the sheet, or a typed `rating`; the `consequence` in words, and what the GM has said it does. Fortune: `trait`,
    `advantages` and `disadvantages` in dice, 0 to 100 each. One that a procedure makes `settles` something of its own
    (action.py), and keeps what that goes by.
    """

    system: ClassVar[str] = NAME

    kind: str = Kind.ACTION.value
    rating: int | None = None

    action: str = ""
    position: str = Position.RISKY.value
    effect: str = Effect.STANDARD.value
    helper: UUID | None = None
    push: str = Push.NOTHING.value
    incapacitated: bool = False
    bargain: str = ""
    gambit: bool = False
    trade: str = ""
    setup: bool = False
    ability: int = 0
    more: int = 0
    more_from: str = ""
    group: bool = False
    harm1: bool = False
    harm2: bool = False
    unhurt: bool = False

    attribute: str = Attribute.PROWESS.value
    consequence: str = ""
    resisting: str = Resisting.REDUCES.value

    trait: int = 1
    advantages: int = 0
    disadvantages: int = 0
    settles: str = ""
    keeps: Mapping[str, Any] = field(default_factory=dict)


@contextmanager
def refused_at(**fields: str) -> Iterator[None]:
    """Raise Invalid, at a field of the form, for what the rules and the sheets refuse inside; `fields` maps their names to its
    own."""
    try:
        with by_the_rules():
            yield
    except Invalid as error:
        raise Invalid(error.message, field=fields.get(error.field or "", error.field)) from error


def short_words(words: str, field: str) -> str:
    """Return words without spaces around them. Raises Invalid for more than 120 characters."""
    if len(words) > LONGEST_WORDS:
        raise Invalid(_("Use at most {most} characters.").format(most=LONGEST_WORDS), field=field)
    return words.strip()


def more_dice(ask: ForgedInput) -> dict[str, Any]:
    """Return the terms of dice that abilities add. Raises Invalid without a word on where they come from."""
    why = short_words(ask.more_from, "more_from")
    with refused_at(why="more_from"):
        check_more({"more": ask.more, "why": why})
    return {"more": ask.more, "more_from": why if ask.more else ""}


def helper_of(context: base.RollContext, wanted: UUID) -> Character:
    """Return another player's character at this table (forged.txt, Assist). Raises Invalid."""
    others = Character.objects.active().filter(campaign=context.work.campaign).exclude(owner=None)
    helper = others.with_related().filter(pk=wanted).first()
    if helper is None:
        raise Invalid(_("Only player characters in play can help. Choose one from the list."), field="helper")
    if context.character is not None and helper.pk == context.character.pk:
        raise Invalid(_("A character can’t help themselves. Choose another one."), field="helper")
    return helper


# What the sheet gives; a character of other rules has nothing to give.


def has_sheet(character: Character | None) -> bool:
    return character is not None and character.system == NAME


def rated_action(character: Character | None, ask: ForgedInput) -> Rating:
    """Return the action that is rolled, from the sheet or as typed; its `name` is "" where only a rating was. Raises Invalid."""
    name = short_words(ask.action, "action")
    if ask.rating is not None:
        return Rating(name, sheet.called(name), _attribute_of(name), ask.rating)
    if not name:
        raise Invalid(_("Type an action, or a rating from 0 to 4."), field="action")
    if character is None or not has_sheet(character):
        message = (
            _("{name} has no Forged in the Dark sheet. Add a rating, such as “{example}”.")
            if character
            else _("Without a character, add a rating, such as “{example}”.")
        )
        example = f"{name[:20]} 2"
        raise Invalid(message.format(name=character.name if character else "", example=example), field="action")
    with refused_at(pool="action"):
        return sheet.action(character.values, name)


def rated_attribute(character: Character | None, attribute: Attribute, ask: ForgedInput) -> int:
    """Return the rating to resist with, typed or from the sheet. Raises Invalid."""
    if ask.rating is not None:
        return ask.rating
    if character is None or not has_sheet(character):
        message = _("Type a rating for {attribute}, from 0 to 4.").format(
            attribute=sheet.ATTRIBUTE_LABELS[attribute.value]
        )
        raise Invalid(message, field="rating")
    return sheet.attribute(character.values, attribute)


def attribute_ratings(character: Character | None) -> dict[str, int | None]:
    """Return the three attributes with their ratings, None without a sheet."""
    if character is None or not has_sheet(character):
        return {attribute.value: None for attribute in Attribute}
    return {attribute.value: sheet.attribute(character.values, attribute) for attribute in Attribute}


def harms(character: Character | None) -> dict[int, str]:
    """Return the harm on the sheet, in words, by level from 1 to 3."""
    if character is None or not has_sheet(character):
        return {}
    return {level: ", ".join(names)[:LONGEST_WORDS] for level, names in sheet.harm(character.values).items()}


def is_harmed(character: Character | None, ask: ForgedInput) -> bool:
    """Return whether moderate harm on the sheet takes a die from this action, which is one of its ratings."""
    return ask.rating is None and bool(harms(character).get(2))


def _attribute_of(name: str) -> str:
    """Return the attribute that the public rules put an action under; "" for actions of other games."""
    return next((attribute.value for attribute, actions in ACTIONS.items() if name.lower() in actions), "")
