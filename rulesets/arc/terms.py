"""The terms of a roll of VI-VIII-X, which the composer, a request, a check that the table settles and the odds all make; what the
sheet gives to them; what cards and requests keep of them; and the form that asks for them.

Scores are never part of a request: the KS and the ES are the sheet's, and no player may read the US, which is read here and
nowhere before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, ClassVar, Final, TypeAlias
from uuid import UUID

from django import forms
from django.utils.formats import number_format
from django.utils.text import format_lazy
from django.utils.translation import gettext as _

from campaigns import schema
from campaigns.errors import Blocked, Invalid
from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from campaigns.schema import Code, Name, Ref, Schema, Uid
from campaigns.text import signed
from characters.models import Character
from characters.sheets.fields import SheetError
from characters.sheets.sheet import Values
from characters.sheets.traits import Trait
from languages.text import gettext_lazy
from rolls.forms.asked import asks
from rolls.forms.base import FacesField, RollForm
from rolls.services.roll_context import by_the_rules
from rolls.settings import roll_settings
from rolls.table_rules import CardDie, RollInput, Terms
from rules.acting import AsRead, Between, OneOf, asked_of
from rules.dice import LARGEST_DIE
from rules.errors import Block, RuleError, whole, word
from rules.messages import Words, joined, worded
from rules.table import Refused
from rulesets.arc import sheet
from rulesets.arc.figures import decimal
from rulesets.arc.rules import check as rules
from rulesets.arc.rules.body import IMMOBILE, UNCONSCIOUS
from rulesets.arc.rules.check import LARGEST_OTHER, MOOD_WORDS, Chip, Typed, counted
from rulesets.arc.settings import LEVEL_LABELS, SCORES, THRESHOLDS, Level, Settings
from rulesets.arc.sheet import Person

NAME: Final = "arc"
LONGEST_TRAIT: Final = 120
LONGEST_LIST: Final = 600
SET_BY_GM: Final = gettext_lazy("Only the GM sets this. Leave it unchanged.")
SCORES_KEPT: Final = ("ks", "us", "es", "other")


# Adjustments in words, as terms and cards keep them

CHIP_WORDS: Final = {"size": gettext_lazy("size")} | MOOD_WORDS


def chip_words(chip: Mapping[str, Any]) -> Words:
    """Return the words for an adjustment, as terms and cards keep it: with a typed `word`, or with a `code` of ours."""
    return worded(CHIP_WORDS[chip["code"]]) if chip.get("code") else chip["word"]


def chip_line(chip: Mapping[str, Any]) -> Words:
    """Return words such as "rain −1"."""
    return joined(" ", (chip_words(chip), signed(chip["value"])))


def within(name: str, low: int = SCORES[0], high: int = SCORES[1]) -> Between:
    """Let a number be typed, by default a score, which is refused by its name."""
    words = format_lazy(gettext_lazy("{name} goes from {low} to {high}."), name=name, low=low, high=high)
    return Between(low, high, words)


# What a roll form, and the form of an act, may ask for (rules/acting.py)

Stat = Annotated[str, AsRead(LONGEST_TRAIT), gettext_lazy("Stat")]
Skill = Annotated[str, AsRead(LONGEST_TRAIT), gettext_lazy("Skill")]

Named: TypeAlias = Mapping[str, str]
"""A trait as rolls keep it: its `code`, which is its address on the sheet, and the `name` of one that its sheet alone has."""


class Kind(StrEnum):
    """The kinds of rolls; a COUNTER is an opposed check that answers one (ARCO). The roll form has OPPOSED beside the check that
    the table settles, since that is told to everyone: only a roll keeps both sides from the rest of the table."""

    CHECK = "check"
    OPPOSED = "opposed"
    COUNTER = "counter"
    REACTION = "reaction"


@dataclass(frozen=True, kw_only=True)
class ArcInput(RollInput):
    """A check of a `stat` and a `skill` of the sheet, or of typed scores: `ks` with the `us` that only a GM knows, `es`.

    `kind` is "check" (against `threshold`, 0 to 100, else that of `level`), "opposed" (which waits to be countered, or
    counters the roll `against`) or "reaction" (of the typed `som`, else the sheet's). `other` is the sum of all other
    adjustments, -100 to +100, of which `chips` names the parts.
    """

    system: ClassVar[str] = NAME

    kind: str = Kind.CHECK.value
    stat: Stat = ""
    skill: Skill = ""
    ks: int | None = None
    us: Annotated[int | None, within(gettext_lazy("An Unknown Stat"))] = None
    es: int | None = None
    other: Annotated[int, Between(-LARGEST_OTHER, LARGEST_OTHER)] = 0
    chips: tuple[Chip, ...] = ()
    level: Annotated[str, OneOf.of(LEVEL_LABELS), gettext_lazy("Threshold")] = Level.AVERAGE.value
    threshold: Annotated[int | None, within(gettext_lazy("A threshold"), *THRESHOLDS), gettext_lazy("Threshold")] = None
    som: Annotated[int | None, within(gettext_lazy("A state of mind"))] = None
    against: UUID | None = None

    def __post_init__(self) -> None:
        """Raises Invalid, at its field, for a number out of its range, and for a level that there is not."""
        with by_the_rules():
            word("level", self.level, Level)
            for name, between in _ranges():
                if (number := getattr(self, name)) is not None:
                    whole(name, number, between.low, between.high)

    @property
    def typed(self) -> dict[str, str]:
        """Return what was typed for the stat and the skill, scores as well."""
        stat = self.stat if self.ks is None else str(self.ks)
        return {"stat": stat, "skill": self.skill if self.es is None else str(self.es)}

    def asked(self, *, is_set: bool = True) -> Terms:
        """Return what a request of such a roll says, without what is left to who rolls, nor how hard a check is unless that
        `is_set`. Whoever asks for an opposed one adds whom it is against."""
        if self.kind == Kind.REACTION:
            return {"kind": self.kind}
        said = {"stat": self.stat, "skill": self.skill, "chips": [chip.written for chip in self.chips]}
        hard = {"level": self.level, "threshold": self.threshold} if is_set and self.kind == Kind.CHECK else {}
        return {"kind": self.kind, "other": self.other} | {name: value for name, value in said.items() if value} | hard


@cache
def _ranges() -> list[tuple[str, Between]]:
    return [(asked.name, between) for asked in asked_of(ArcInput) if (between := asked.mark(Between))]


def ask_of(terms: Terms) -> rules.Ask:
    """Return the check that a roll's terms are of, with what it has to exceed."""
    scores, acting = {name: terms[name] for name in SCORES_KEPT}, terms.get("acting")
    if acting is None:
        return rules.Ask(**scores, threshold=terms.get("threshold"))
    total = ask_of(acting).before_the_die + rules.value_of(acting["es"], acting["face"])
    return rules.Ask(**scores, first=total, counters=not terms.get("acts"))


# What the sheet gives


def named_traits(stat: str, skill: str, values: Values | None = None, *, at: str = "") -> tuple[str, str]:
    """Return the code of a stat and the name of a skill, "" for what is left open. A skill of these values implies its stat.
    Raises Refused for scores and Invalid for what is not there, at the field of this name behind `at`."""
    stat, skill = stat.strip(), skill.strip()
    for field, typed in (("stat", stat), ("skill", skill)):
        if typed.lstrip("+-").isdigit():
            message = _("Enter a name or leave it blank. Scores come from the sheet, or from the GM who rolls.")
            raise Refused(message, f"{at}{field}")
    if values is not None and skill:
        with at_field(f"{at}skill"):
            row = sheet.find_skill(values, skill)
        stat, skill = stat or sheet.stat_of_skill(values, row), row.label
    if stat:
        with at_field(f"{at}stat"):
            stat = sheet.find_stat({}, stat).name
    return stat, skill


def check_words(stat: str, skill: str) -> Words:
    """Return words such as "Control + Tamper" for a stat by its code and a skill; "" for neither."""
    words: list[Words] = [
        *([worded(sheet.STAT_WORDS[stat])] if stat else []),
        *([skill[:1].upper() + skill[1:]] if skill else []),
    ]
    return joined(" + ", words) if words else ""


def scores_of(character: Character | None, ask: ArcInput, *, for_gm: bool) -> dict[str, Any]:
    """Return the `traits` of a check, the stat before the skill, and all its scores, the US among them. Raises Invalid, without
    a score in it."""
    if ask.us is not None and not for_gm:
        raise Invalid(_("Only the GM knows an Unknown Stat. Leave it blank."), field="us")
    if ask.es is not None and not for_gm:
        raise Invalid(_("Only the GM rolls a typed skill score. Choose a skill of your character."), field="skill")
    stats: list[Named] = []
    es, skills = trained(character, ask)
    if ask.ks is not None:
        if not for_gm:
            raise Invalid(_("Only the GM rolls a typed Known Stat. Choose a stat of your character."), field="stat")
        if ask.us is None:
            raise Invalid(_("A typed Known Stat also needs its Unknown Stat."), field="us")
        ks, us = ask.ks, ask.us
    else:
        stat = stat_of(character, ask)
        assert character is not None  # noqa: S101  # or it had no sheet
        ks, us, stats = stat.rating, sheet.unknown(character.sheet, character.secret, stat), [{"code": stat.name}]
        us = us if ask.us is None else ask.us
    with by_the_rules():
        asked = rules.Ask(ks=ks, us=us, es=es, other=ask.other)
    return {"traits": [*stats, *skills]} | {name: getattr(asked, name) for name in SCORES_KEPT}


def trained(character: Character | None, ask: ArcInput) -> tuple[int, list[Named]]:
    """Return the ES, and the skill ([] if typed). It uses no one else's secrets. Raises Invalid."""
    if ask.es is not None:
        return ask.es, []
    if not ask.skill:
        raise Invalid(_("Choose a skill from the sheet, or type a skill score from 1 to 10."), field="skill")
    with at_field("skill"):
        skill = sheet.find_skill(_sheet(character, "skill"), ask.skill)
    return skill.rating, [{"code": skill.name, "name": skill.label}]


def som_of(character: Character | None, ask: ArcInput) -> int:
    """Return the state of mind, typed or the sheet's. Raises Invalid."""
    if ask.som is not None:
        return ask.som
    if character is None or character.system != NAME:
        raise Invalid(_("Type the state of mind: there’s no sheet to read it from."), field="som")
    return sheet.SHEET.number(character.sheet, "som")


def stat_of(character: Character | None, ask: ArcInput) -> Trait:
    """Return the stat by name, with its KS. Raises Invalid."""
    if not ask.stat:
        raise Invalid(_("Choose a stat from the sheet."), field="stat")
    with at_field("stat"):
        return sheet.find_stat(_sheet(character, "stat"), ask.stat)


def hindrances(character: Character | Person | None, settings: Settings, *, acts: bool) -> Iterator[tuple[Block, str]]:
    """Yield what keeps a character from rolling: being unconscious; and from a roll in which they act, too much weight
    (arc.txt, V.4, V.6)."""
    if character is None or character.system != NAME:
        return
    if sheet.SHEET.value(character.values, "unconscious"):
        yield UNCONSCIOUS, _("{name} is unconscious and can’t take part.").format(name=character.name)
    if acts and not (borne := sheet.body(character.values).load(settings)).may_act:
        words = _(
            "{name} is carrying {weight} kg, more than the {most} kg they can bear, and can’t act. Put something down first."
        )
        weight, most = number_format(decimal(borne.weight)), number_format(decimal(borne.bearable))
        yield IMMOBILE, words.format(name=character.name, weight=weight, most=most)


def keep_out(character: Character | Person | None, settings: Settings, *, acts: bool) -> None:
    """Raise Blocked for who cannot roll: nothing is announced for them."""
    for _block, words in hindrances(character, settings, acts=acts):
        raise Blocked(words, field="character")


def _sheet(character: Character | None, field: str) -> Values:
    if character is None:
        raise Invalid(_("Choose a character with a VI-VIII-X sheet, or ask the GM to roll."), field=field)
    if character.system != NAME:
        message = _("{name} has no VI-VIII-X sheet. Ask the GM to roll.").format(name=character.name)
        raise Invalid(message, field=field)
    return character.sheet


@contextmanager
def at_field(field: str) -> Iterator[None]:
    """Refuse at this field of the form what the sheet refuses inside."""
    try:
        yield
    except SheetError as error:
        raise Invalid(error.message, field=field) from error


# What cards and requests keep


class RolledTrait(Schema):
    code: Code
    name: Name | None = None


class Side(Schema):
    """The check that a counter answers, as `side_of` returns it."""

    roll: Uid
    uid: Code
    who: schema.Person
    character: Ref | None = None
    kind: Code
    traits: list[RolledTrait]
    versus: Name | None = None


class WrittenChip(Schema):
    """A part of the other adjustments that was named: a typed `word`, or "size" as the code."""

    word: Name | None = None
    code: Code | None = None
    value: int


class Numbers(Schema):
    ks: int
    us: int
    other: int
    adjustment: int
    total: int
    margin: int | None = None


class Die(CardDie):
    sides: int


class Card(Schema):
    dice: list[Die]
    paired: bool
    som: int | None = None
    traits: list[RolledTrait] | None = None
    es: int | None = None
    adjustment: int | None = None
    other: int | None = None
    chips: list[WrittenChip] | None = None
    threshold: int | None = None
    level: Code | None = None
    against: Side | None = None
    versus: Name | None = None
    acts: bool | None = None
    numbers: Numbers | None = None


class TakenBack(Schema):
    reopened: Side | None = None
    ended: Side | None = None


class Against(Schema):
    roll: Uid
    name: Name
    kind: Code
    traits: list[RolledTrait]


class Versus(Schema):
    name: Name
    acts: bool


class RequestTerms(Schema):
    """The terms of a request; the skill as it was typed, `versus` for one of two sides that both roll."""

    kind: Code
    stat: Code | None = None
    skill: Name | None = None
    other: int | None = None
    chips: list[WrittenChip] | None = None
    level: Code | None = None
    threshold: int | None = None
    against: Against | None = None
    versus: Versus | None = None


# The form

KINDS: Final = [
    (Kind.CHECK.value, gettext_lazy("check")),
    (Kind.OPPOSED.value, gettext_lazy("opposed check")),
    (Kind.REACTION.value, gettext_lazy("reaction")),
]
NUMBER: Final = re.compile(r"[+-]?[0-9]+")

# Adjustments for and against a check, as people type them: "higher ground +1, rain -1, asleep +2", or one number for all of them.

SIGNS: Final = {"−": "-", "–": "-", "+": "+", "-": "-"}  # as phones and texts write minus
TOTAL: Final = re.compile(r"([+−–-]?)\s*(\d{1,9})")
NAMED: Final = re.compile(r"(.+?)\s*([+−–-])\s*(\d{1,3})")


class ChipsField(LineField):
    """Gives a `Typed`. A bare number is all other adjustments at once; a named one of more than 2 is a special rule's."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"max_length": LONGEST_LIST, "required": False, **kwargs})

    def clean(self, value: Any) -> Typed:
        text = super().clean(value).strip()
        if not text:
            return Typed()
        if number := TOTAL.fullmatch(text):
            total = _typed(number[1], number[2])
            if abs(total) > LARGEST_OTHER:
                raise forms.ValidationError(
                    _("Other adjustments go from −{most} to +{most}.").format(most=LARGEST_OTHER)
                )
            return Typed(total)
        try:
            chips = tuple(_chip(word.strip()) for word in text.split(",") if word.strip())
            return Typed(counted(chip.value for chip in chips), chips)
        except RuleError as error:
            raise forms.ValidationError(error.message) from error


def _chip(text: str) -> Chip:
    named = NAMED.fullmatch(text)
    if named is None:
        message = _("Enter a number, or words with their values, for example: higher ground +1, rain -1.")
        raise RuleError("other", text, allowed="words with a number", message=message)
    return Chip(word=named[1].strip(), value=_typed(named[2], named[3]))


def _typed(sign: str, digits: str) -> int:
    return -int(digits) if SIGNS.get(sign) == "-" else int(digits)


@asks(ArcInput)
class ArcForm(RollForm):
    """`stat` and `skill` are names on the sheet, or typed scores: KS and ES."""

    roll_input = ArcInput

    kind = forms.ChoiceField(label=gettext_lazy("Roll type"), choices=KINDS, required=False)
    other = ChipsField(label=gettext_lazy("Other adjustments"))
    against = forms.UUIDField(required=False)
    faces = FacesField(LARGEST_DIE, required=False)

    def given(self) -> dict[str, Any]:
        given = super().given()
        other = self.cleaned_data["other"]
        given |= {"other": other.total, "chips": other.chips}
        for name, score in (("stat", "ks"), ("skill", "es")):
            typed = self.cleaned_data[name].strip()
            # Longer numbers are as wrong as their beginnings.
            given |= {name: "", score: int(typed[:9])} if NUMBER.fullmatch(typed) else {name: typed}
        return given

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """Return the thresholds of this campaign, and whether there are fields for what only a GM knows."""
        thresholds = roll_settings(viewer.campaign).of(Settings).thresholds
        return {
            "kinds": KINDS,
            "labels": cls.labels() | {"threshold": _("Another threshold")},
            "levels": [
                (level.value, f"{label} {threshold}")
                for (level, label), threshold in zip(LEVEL_LABELS.items(), thresholds, strict=True)
            ],
            "level": Level.AVERAGE.value,
            "faces": "5",
            "is_gm": viewer.is_gm,
            "has_sheet": bool(hand and hand["system"] == NAME),
        }
