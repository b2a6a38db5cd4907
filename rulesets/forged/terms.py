"""The terms of forged rolls, one class a kind: the composer, a request, a procedure and a stored roll all make one, which knows
its dice and what they come to; what is kept of them on cards and in requests; and the forms that ask for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, ClassVar, Final, Self, get_args
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from campaigns.models import Viewer
from campaigns.schema import Code, Name, Ref, Schema
from campaigns.schema import Text as Typed
from characters.models import Character
from characters.queries.in_play import in_play
from languages.letters import fold
from languages.text import gettext_lazy, pgettext_lazy
from rolls import table_rules as base
from rolls.forms.asked import asks
from rolls.forms.base import CorrectionForm, FacesField, RollForm
from rolls.services.roll_context import by_the_rules
from rolls.settings import RollSettings, roll_settings
from rolls.slash import Fields, SlashCommand, SlashError
from rules.acting import Between, OneOf, Text, asked_of
from rules.checked import stored
from rules.dice import LARGEST_POOL
from rules.errors import word
from rulesets.forged import sheet
from rulesets.forged.rules import (
    D6,
    DEFAULTS,
    HIGHEST_RATING,
    MOST_MORE,
    ORDER,
    Outcome,
    Pool,
    Result,
    Settings,
    action_pool,
    check_more,
    fortune_pool,
    with_more,
)
from rulesets.forged.rules.action import (
    MOST_LEVELS,
    PUSH_COST,
    Attribute,
    Built,
    Direction,
    Effect,
    Influences,
    Position,
    Resisting,
    attribute_of,
    build,
    desperate_xp,
    gambits_gained,
    menu_of,
    push_cost,
    resist_cost,
    resist_pool,
    trade,
)
from rulesets.forged.words import ATTRIBUTE_WORDS, BECOMES, EFFECT_WORDS, MENU, POSITION_WORDS

NAME: Final = "forged"
LONGEST_WORDS: Final = 120
ENGAGEMENT: Final = "engagement"
COHORT: Final = "cohort"
CORRECTABLE: Final = ("position", "effect", "trade", "reduced", "resisting")
NOT_STORED: Final = ("system", "character", "note", "request", "override", "unhurt")
TRADES: Final = {
    "": gettext_lazy("no"),
    Direction.EFFECT: gettext_lazy("worse position, +1 effect"),
    Direction.POSITION: gettext_lazy("better position, −1 effect"),
}


# What a roll form, and the form of an act, may ask for (rules/acting.py)

Line = Annotated[str, Text(LONGEST_WORDS)]
More = Annotated[int, Between(-MOST_MORE, MOST_MORE), gettext_lazy("Extra dice")]
MoreFrom = Annotated[Line, gettext_lazy("Where they come from")]
Ability = Annotated[int, Between(0, MOST_LEVELS), gettext_lazy("Effect levels from special abilities")]
Helper = Annotated[UUID | str | None, gettext_lazy("Assist")]


class Kind(StrEnum):
    """The three rolls of these rules, which need only dice and a sheet."""

    ACTION = "action"
    RESISTANCE = "resistance"
    FORTUNE = "fortune"


@dataclass(frozen=True, kw_only=True)
class ForgedTerms(base.RollInput):
    """What all kinds have: a push for a die (2 stress), and `more` dice that abilities add or take, -6 to 6, from `more_from`."""

    system: ClassVar[str] = NAME

    requested: ClassVar[tuple[str, ...]] = ()
    """The fields of which a request says what it asks for."""

    push_die: Annotated[bool, gettext_lazy("Push: +1 die for 2 stress")] = False
    more: More = 0
    more_from: MoreFrom = ""

    def __post_init__(self) -> None:
        """Raises UnknownWord and Invalid, at its field, for what is none of its words, and for a line that is too long."""
        own: Any = type(self)
        for name, most, words, usual in _limits(own):
            value = getattr(self, name)
            if words:
                object.__setattr__(self, name, word(name, value, words) if value else usual)
            elif len(value) > most:
                raise Invalid(_("Use at most {most} characters.").format(most=most), field=name)

    @classmethod
    def of(cls, terms: Mapping[str, Any]) -> Self:
        """Return those of a stored roll or of a form; what is none of this kind's is left out, and what is missing as usual."""
        return cls(**{one.name: terms[one.name] for one in fields(cls) if one.name in terms})

    @property
    def stress(self) -> int:
        """Return what the pushes cost."""
        return PUSH_COST * self.push_die

    @property
    def extras(self) -> list[tuple[str, int]]:
        """Return what adds dice or takes them, by code."""
        return [("push", int(self.push_die)), ("more", self.more)]

    def pool(self, settings: Settings) -> Pool:
        """Return the dice. Raises a RuleError for what the rules do not allow."""
        raise NotImplementedError

    def completed(self, character: Character | None) -> Self:
        """Return them with what the sheet gives. Raises Invalid where it does not have it."""
        with refused_at(why="more_from"):
            check_more({"more": self.more, "why": self.more_from})
        return replace(self, more_from=self.more_from if self.more else "")

    def kept(self, settings: Settings) -> dict[str, Any]:
        """Return them as a roll stores them, in JSON's types, with the `dice` of the pool. Raises a RuleError."""
        every = {name: value for name, value in stored(self).items() if name not in NOT_STORED}
        return every | {"dice": self.pool(settings).dice}

    def asked(self) -> dict[str, Any]:
        """Return what a request of such a roll says. Raises Invalid."""
        told = stored({name: getattr(self, name) for name in ("kind", *self.requested)})
        return {name: value for name, value in told.items() if value not in ("", None)}

    def result(self, outcome: Outcome, settings: Settings) -> dict[str, Any]:
        """Return what the dice come to beside their result, as a roll stores it. Raises a RuleError for terms that cannot be."""
        raise NotImplementedError


@dataclass(frozen=True, kw_only=True)
class ActionTerms(ForgedTerms):
    """An action: its code on the sheet, or a typed name, or none; its `rating` if that was typed; position and effect as the GM
    has said.

    `helper` is the character who assists, `bargain` says in words what a Devil's Bargain costs. `harm1` and `harm2`: a harm of
    that level applies; moderate harm of the sheet does so to its actions, unless the roll is `unhurt`. `ability`: levels of
    effect that special abilities add, 0 to 10. `reduced`: the consequence was reduced effect. One that is made in a `group`
    says its dice alone.
    """

    requested: ClassVar[tuple[str, ...]] = ("action", "position", "effect")

    kind: str = Kind.ACTION.value
    action: Annotated[Line, pgettext_lazy("forged roll", "Action")] = ""
    attribute: str = ""
    rating: int | None = None
    position: Annotated[Position, OneOf.of(POSITION_WORDS), gettext_lazy("Position")] = Position.RISKY
    effect: Annotated[Effect, OneOf.of(EFFECT_WORDS), gettext_lazy("Effect")] = Effect.STANDARD
    trade: Annotated[Direction | None, OneOf.of(TRADES), gettext_lazy("Trade")] = None
    push_effect: bool = False
    incapacitated: Annotated[bool, gettext_lazy("Push to act while incapacitated: 2 stress")] = False
    helper: Helper = None
    bargain: Annotated[Line, gettext_lazy("Devil’s Bargain")] = ""
    gambit: Annotated[bool, gettext_lazy("Spend one of the crew’s gambits: +1 die")] = False
    setup: Annotated[bool, gettext_lazy("Set up by a teammate: +1 effect")] = False
    ability: Ability = 0
    group: bool = False
    harm1: Annotated[bool, gettext_lazy("Lesser harm hinders: −1 effect")] = False
    harm2: Annotated[bool, gettext_lazy("Moderate harm hinders a typed rating: −1 die")] = False
    unhurt: Annotated[bool, gettext_lazy("Ignore moderate harm")] = False
    harm_left_out: bool = False
    reduced: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.action not in sheet.ACTION_LABELS:
            object.__setattr__(self, "action", sheet.code_of(self.action))

    @property
    def stress(self) -> int:
        return push_cost(die=self.push_die, effect=self.push_effect, incapacitated=self.incapacitated)

    @property
    def extras(self) -> list[tuple[str, int]]:
        return [
            ("help", int(self.helper is not None)),
            ("push", int(self.push_die)),
            ("bargain", int(bool(self.bargain))),
            ("gambit", int(self.gambit)),
            ("harm", -int(self.harm2)),
            ("more", self.more),
        ]

    def pool(self, settings: Settings) -> Pool:
        return action_pool(
            rating=self.rating or 0,
            assists=int(self.helper is not None),
            push=self.push_die,
            bargain=bool(self.bargain),
            gambit=self.gambit,
            level2_harm=self.harm2,
            more=self.more,
            settings=settings,
        )

    def rolled_in(self, settings: Settings) -> Position:
        """Return the position that is rolled in: the GM's, after a trade. Raises a RuleError for a trade that cannot be."""
        if self.trade is None:
            return self.position
        return trade(self.position, self._built(settings).effect, self.trade, settings=settings)[0]

    def built(self, settings: Settings, *, critical: bool = False) -> Built:
        """Return how far the effect goes, step by step in the order of the rules. Raises a RuleError likewise."""
        moved = {"trade": self.trade, "level1_harm": self.harm1, "reduced": self.reduced}
        return self._built(settings, critical=critical, **moved)

    def _built(self, settings: Settings, **more: Any) -> Built:
        influences = Influences(ability=self.ability, setup=self.setup, push=self.push_effect, **more)
        return build(self.effect, influences, settings)

    def completed(self, character: Character | None) -> Self:
        name, rating = _rated_action(character, self)
        harmed = self.rating is None and bool(harms(character).get(2))
        hurt = self.harm2 or (harmed and not self.unhurt)
        return replace(
            super().completed(character),
            action=name,
            attribute=attribute_of(name.lower()),
            rating=rating,
            harm2=hurt,
            harm_left_out=self.harm_left_out or (harmed and not hurt),
        )

    def kept(self, settings: Settings) -> dict[str, Any]:
        kept = super().kept(settings)
        self.rolled_in(settings)
        self.built(settings)
        return kept | {"trade": self.trade or "", "stress": self.stress}

    def result(self, outcome: Outcome, settings: Settings) -> dict[str, Any]:
        return self.comes_to(outcome.result, settings)

    def comes_to(self, result: Result, settings: Settings) -> dict[str, Any]:
        """Return what a result comes to, whatever dice it is from. Raises a RuleError likewise."""
        position, done = self.rolled_in(settings), result is not Result.BAD
        reached = self.built(settings, critical=result is Result.CRITICAL)
        return {
            "position": position.value,
            "effect": self.built(settings).effect.value,
            "reached": reached.effect.value if done else "",
            "ticks": reached.ticks if done else 0,
            "steps": [stored(step) for step in reached.steps],
            "menu": list(menu_of(position, result)),
            "xp": desperate_xp(position),
            "gambits": gambits_gained(position, result, spent=self.gambit, settings=settings),
        }


@dataclass(frozen=True, kw_only=True)
class ResistanceTerms(ForgedTerms):
    """Resisting with an `attribute`, whose `rating` may be typed: a `consequence` in words, or what is `resisted`, one of the
    menu or of a staged action (words.py, RESISTED); and what resisting does, as the GM has said."""

    requested: ClassVar[tuple[str, ...]] = ("consequence", "resisted", "attribute", "resisting")

    kind: str = Kind.RESISTANCE.value
    attribute: Annotated[Attribute, OneOf.of(ATTRIBUTE_WORDS), gettext_lazy("Attribute")] = Attribute.PROWESS
    rating: Annotated[int | None, Between(0, HIGHEST_RATING), gettext_lazy("Rating")] = None
    consequence: Annotated[Line, gettext_lazy("Consequence")] = ""
    resisted: Mapping[str, Any] | None = None
    resisting: Annotated[Resisting, OneOf.of(BECOMES), gettext_lazy("Result of resisting")] = Resisting.REDUCES

    @property
    def known(self) -> Self:
        """Return the same with a consequence of the menu by its code; what else was typed stays as it is."""
        code = next((code for code, words in MENU.items() if str(words) == self.consequence), None)
        resisted = self.resisted or ({"code": code} if code else None)
        return replace(self, consequence="" if resisted else self.consequence, resisted=resisted)

    def pool(self, settings: Settings) -> Pool:
        return with_more(resist_pool(self.rating or 0), self.more, push=self.push_die)

    def completed(self, character: Character | None) -> Self:
        return replace(super().completed(character).known, rating=_rated_attribute(character, self))

    def asked(self) -> dict[str, Any]:
        return ForgedTerms.asked(self.known)

    def result(self, outcome: Outcome, settings: Settings) -> dict[str, Any]:
        """Return its `stress`, which is -1 where a critical clears one."""
        return {"stress": resist_cost(outcome)}


@dataclass(frozen=True, kw_only=True)
class FortuneTerms(ForgedTerms):
    """Fortune: `trait`, `advantages` and `disadvantages` in dice, 0 to 100 each; whoever pushes for a die is the `helper`, else
    who rolls. One that a procedure makes `settles` something of its own, and `keeps` what that goes by."""

    requested: ClassVar[tuple[str, ...]] = ("trait", "advantages", "disadvantages")

    kind: str = Kind.FORTUNE.value
    trait: Annotated[int, Between(0, LARGEST_POOL), gettext_lazy("Trait")] = 1
    advantages: Annotated[int, Between(0, LARGEST_POOL), gettext_lazy("Advantages")] = 0
    disadvantages: Annotated[int, Between(0, LARGEST_POOL), gettext_lazy("Disadvantages")] = 0
    helper: Helper = None
    settles: str = ""
    keeps: Mapping[str, Any] = field(default_factory=dict)

    @property
    def extras(self) -> list[tuple[str, int]]:
        if self.settles not in (
            "",
            ENGAGEMENT,
            COHORT,
        ):  # a downtime activity names them, and counts them as advantages
            return [(code, int(bool(self.keeps.get(code)))) for code in ("friend", "push")]
        return [("advantages", self.advantages), ("disadvantages", -self.disadvantages), *super().extras]

    def pool(self, settings: Settings) -> Pool:
        pool = fortune_pool(trait=self.trait, advantages=self.advantages, disadvantages=self.disadvantages)
        return with_more(pool, self.more, push=self.push_die)

    def completed(self, character: Character | None) -> Self:
        paid = self.push_die and (self.helper is not None or has_sheet(character))
        return replace(super().completed(character), push_die=paid)

    def asked(self) -> dict[str, Any]:
        with refused_at(pool="trait"):
            self.pool(DEFAULTS)
        return super().asked()

    def result(self, outcome: Outcome, settings: Settings) -> dict[str, Any]:
        """Return its `ticks`: those of little, limited, standard or great effect."""
        return {"ticks": Built(ORDER.index(outcome.result)).ticks}


TERMS: Final[Mapping[str, type[ForgedTerms]]] = {
    Kind.ACTION: ActionTerms,
    Kind.RESISTANCE: ResistanceTerms,
    Kind.FORTUNE: FortuneTerms,
}


@contextmanager
def refused_at(**fields: str) -> Iterator[None]:
    """Raise Invalid, at a field of the form, for what the rules and the sheets refuse inside; `fields` maps their names to its
    own."""
    try:
        with by_the_rules():
            yield
    except Invalid as error:
        raise Invalid(error.message, field=fields.get(error.field or "", error.field)) from error


@cache
def _limits(kind: Any) -> list[tuple[str, int, type[StrEnum] | None, Any]]:
    """Return which terms are lines of so many letters, and which one of certain words, with what they are as usual."""
    every = ((one, one.mark(Text), (get_args(one.kind) or (one.kind,))[0]) for one in asked_of(kind))
    return [
        (one.name, line.most if line else 0, None if line else words, one.default)
        for one, line, words in every
        if line or issubclass(words, StrEnum)
    ]


# What the sheet gives; a character of other rules has nothing to give.


def has_sheet(character: Character | None) -> bool:
    return character is not None and character.system == NAME


def harms(character: Character | None) -> dict[int, str]:
    """Return the harm on the sheet, in words, by level from 1 to 3."""
    if character is None or not has_sheet(character):
        return {}
    return {level: ", ".join(names)[:LONGEST_WORDS] for level, names in sheet.harm(character.values).items()}


def _rated_action(character: Character | None, ask: ActionTerms) -> tuple[str, int]:
    """Return the action that is rolled, "" where only a rating was typed, and its rating, from the sheet or as typed. Raises
    Invalid."""
    name = ask.action.strip()
    if ask.rating is not None:
        return name, ask.rating
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
        trait = sheet.action(character.values, name)
    return trait.name, trait.rating


def _rated_attribute(character: Character | None, ask: ResistanceTerms) -> int:
    """Return the rating to resist with, typed or from the sheet. Raises Invalid."""
    if ask.rating is not None:
        return ask.rating
    if character is None or not has_sheet(character):
        message = _("Type a rating for {attribute}, from 0 to 4.")
        raise Invalid(message.format(attribute=sheet.ATTRIBUTE_LABELS[ask.attribute.value]), field="rating")
    with refused_at():
        return sheet.attribute(character.values, ask.attribute)


# What cards and requests keep


class Cost(Schema):
    """Stress that someone pays. `marked` is what the track moved by, None where no one has marked it; `full` asks for a
    trauma."""

    character: Ref | None = None
    stress: int
    why: Code
    marked: int | None = None
    full: bool


class Said(Schema):
    position: Code
    effect: Code


class Step(Schema):
    """A step that moved the effect."""

    why: Code
    change: int


class CardPool(Schema):
    dice: int
    lowest: bool


class Extra(Schema):
    code: Code
    name: Name | None = None
    dice: int


class Resisted(Schema):
    """What is resisted: a consequence of the menu, or with its severity one of a staged action (words.py, RESISTED)."""

    code: Code
    severity: int | None = None
    heat: bool | None = None
    words: Name | None = None
    clock_name: Name | None = None
    segments: int | None = None
    filled: int | None = None


class Rolled(Schema):
    """What cards and requests say alike: the action and the consequence as they were typed, which may be made up, or what is
    `resisted`."""

    action: Name | None = None
    position: Code | None = None
    effect: Code | None = None
    consequence: Name | None = None
    resisted: Resisted | None = None
    attribute: Code | None = None
    resisting: Code | None = None
    trait: int | None = None


class Card(Rolled):
    """The payload of a card of any kind."""

    pool: CardPool
    dice: list[base.CardDie]
    costs: list[Cost]
    ticks: int
    set_by_gm: bool
    usual: bool | None = None
    staged: bool | None = None
    rating: int | None = None
    extras: list[Extra] | None = None
    # Of an action.
    said: Said | None = None
    trade: Code | None = None
    reached: Code | None = None
    steps: list[Step] | None = None
    menu: list[Code] | None = None
    bargain: Typed | None = None
    more_from: Typed | None = None
    group: bool | None = None
    harm_left_out: bool | None = None
    xp: int | None = None
    xp_marked: int | None = None
    gambits: int | None = None
    # Of resisting.
    stress: int | None = None
    # Of what a procedure settles: its name in words of the table, the heat, and the die that counts.
    settles: Code | None = None
    thing: Name | None = None
    heat: int | None = None
    face: int | None = None


class RequestTerms(Rolled):
    """The terms of a request."""

    kind: Code
    advantages: int | None = None
    disadvantages: int | None = None


# The forms: of the composer, of a correction of what the GM had said, and a line of text


KINDS = [
    (Kind.ACTION.value, pgettext_lazy("forged roll", "Action")),
    (Kind.RESISTANCE.value, gettext_lazy("Resist")),
    (Kind.FORTUNE.value, gettext_lazy("Fortune")),
]
PUSHES = [
    ("", gettext_lazy("no")),
    ("die", gettext_lazy("+1 die")),
    ("effect", gettext_lazy("+1 effect")),
    ("both", gettext_lazy("+1 die, +1 effect")),
]
"""What an action is pushed for, 2 stress each (forged.txt, Push Yourself)."""
RATED = re.compile(r"([^\W\d_][^\d]*?)?\s*(\d{1,12})?")
"""An action of the sheet, a rating, or both: "skirmish", "2", "skirmish 2"."""


@asks(ActionTerms, ResistanceTerms, FortuneTerms)
class ForgedForm(RollForm):
    """One form for the three kinds; what belongs to another kind than the chosen one is not looked at."""

    roll_input = ForgedTerms

    kind = forms.ChoiceField(label=gettext_lazy("Roll type"), choices=KINDS, required=False)
    faces = FacesField(sides=D6.sides, required=False)
    push = forms.ChoiceField(label=gettext_lazy("Push"), choices=PUSHES, required=False)

    def clean_action(self) -> tuple[str, int | None]:
        """Return the name and the rating that were typed, either of which may be left out."""
        rated = RATED.fullmatch(self.cleaned_data["action"].strip())
        if rated is None:
            raise forms.ValidationError(_("Type an action, a rating from 0 to 4, or both, such as skirmish 2."))
        name, rating = rated.groups()
        return name or "", int(rating) if rating else None

    def ask(self) -> ForgedTerms:
        """Return the terms of the kind that is chosen; empty fields are as usual."""
        given = self.given()
        return TERMS[given["kind"]].of(given)

    def given(self) -> dict[str, Any]:
        kind, push = self.cleaned_data["kind"] or Kind.ACTION, self.cleaned_data["push"]
        name, rating = self.cleaned_data["action"]
        own: dict[str, Any] = {"kind": kind, "action": name}
        if kind == Kind.ACTION:
            own |= {"rating": rating, "push_die": push in ("die", "both"), "push_effect": push in ("effect", "both")}
        return {name: value for name, value in (self.cleaned_data | own).items() if value not in (None, "")}

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """Return the context of the form: possible helpers, the attributes and harm of the character at hand, and
        whether there are gambits.
        """
        settings = roll_settings(viewer.campaign).of(Settings)
        at_hand = hand["character"] if hand else None
        character = at_hand if has_sheet(at_hand) else None
        rated = {name: f" {sheet.attribute(character.values, name)}" for name in ATTRIBUTE_WORDS} if character else {}
        return {
            "options": cls.options(),
            "labels": cls.labels(),
            "faces": "4 1 6",
            "has_sheet": character is not None,
            "actions": [str(label) for label in sheet.ACTION_LABELS.values()],
            "helpers": [
                helper for helper in in_play(viewer) if has_sheet(helper) and helper.owner and helper != at_hand
            ],
            "gambits": settings.gambits,
            "announces": settings.only_gm_sets and not viewer.is_gm,
            "harms": harms(character),
            "attributes": [(name.value, f"{words}{rated.get(name, '')}") for name, words in ATTRIBUTE_WORDS.items()],
            "consequences": [str(words) for words in MENU.values()],
        }


NOT_REDUCED, REDUCED = "no", "yes"
NO_TRADE = "none"
"""The choice that leaves a value as it was."""


@asks(ActionTerms, ResistanceTerms, only=CORRECTABLE)
class ForgedCorrection(CorrectionForm):
    """Correct the GM's terms, and whether reduced effect was the consequence. Other kinds of rolls have none of these."""

    trade = forms.TypedChoiceField(
        label=gettext_lazy("Trade"),
        choices=[(code or NO_TRADE, words) for code, words in TRADES.items()],
        coerce=lambda typed: "" if typed == NO_TRADE else typed,
        required=False,
        empty_value=None,
    )
    reduced = forms.TypedChoiceField(
        label=gettext_lazy("Reduced effect, as a consequence"),
        choices=[(NOT_REDUCED, gettext_lazy("no")), (REDUCED, gettext_lazy("yes, one level less"))],
        coerce=lambda typed: typed == REDUCED,
        required=False,
        empty_value=None,
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields((*CORRECTABLE, "note", "reason"))
        if (kind := self.initial.get("kind")) is None:
            return
        for name in CORRECTABLE:
            if not hasattr(TERMS[kind], name):
                del self.fields[name]
        if "reduced" in self.initial:
            reduced = REDUCED if self.initial["reduced"] else NOT_REDUCED
            self.initial = {**self.initial, "reduced": reduced, "trade": self.initial["trade"] or NO_TRADE}


# /f, the command of forged actions: a line of text becomes the fields of their form.
#
# /f 2 desperate great push        an action of that rating
# /f skirmish                      or with a trait of the sheet; position and effect also in the reader's language
#
# Where only the GM sets position and effect, what a player types is announced.


class ForgedCommand(SlashCommand):
    words = ("/f", "/forged")
    usage = gettext_lazy("Type it like /f 2 desperate great, or /f skirmish push # what it’s for.")
    examples = (
        (gettext_lazy("/f skirmish"), gettext_lazy("an action from your sheet: players announce it, GMs roll it")),
        (gettext_lazy("/f 2 desperate"), gettext_lazy("for GMs: the same by its rating, desperate")),
    )
    places = ("action",)
    """A word that is no keyword is the name of an action; a number next to it is its rating."""
    keywords: Mapping[str, tuple[str, str]] = {
        "push": ("push", "die"),
        "unhurt": ("unhurt", "on"),
        **{position.value: ("position", position.value) for position in Position},
        **{effect.value: ("effect", effect.value) for effect in Effect},
    }

    def keyword(self, word: str) -> tuple[str, str] | None:
        here = {fold(str(words)): ("position", position.value) for position, words in POSITION_WORDS.items()}
        here |= {fold(str(words)): ("effect", effect.value) for effect, words in EFFECT_WORDS.items()}
        return super().keyword(word) or here.get(fold(word))

    def announces(self, fields: Fields, settings: RollSettings) -> bool:
        """Return whether the action is announced. Raises SlashError for terms that only the GM sets then."""
        if not settings.of(Settings).only_gm_sets:
            return False
        said = [fields[name] for name in ("position", "effect") if name in fields]
        if said:
            message = _("The GM sets position and effect. Leave out “{words}” and announce the action.")
            raise SlashError(message.format(words=" ".join(said)))
        return True
