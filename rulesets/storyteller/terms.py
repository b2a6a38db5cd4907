"""How a Storyteller roll is asked for: its terms, what is rolled by them and the words for both; and the forms and the command
that ask."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Final, Self
from uuid import UUID

from django import forms
from django.utils.translation import gettext as _

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.models import Character
from characters.sheets.sheet import Values
from characters.sheets.traits import Trait
from languages.text import gettext_lazy, pgettext_lazy
from rolls import table_rules as base
from rolls.forms.asked import asks
from rolls.forms.base import CorrectionForm, RollForm
from rolls.models import Procedure, Roll
from rolls.queries.procedures import open_to
from rolls.settings import roll_settings
from rolls.slash import Fields, SlashCommand, SlashError
from rolls.table_rules import Terms
from rules.acting import Between, OneOf
from rules.errors import NotPossible, word
from rules.messages import Message, gettext, joined, ngettext, worded
from rulesets.storyteller import sheet
from rulesets.storyteller.rules.roll import Ask, Kind, Pool, difficulties, typed_pool, wound_penalty
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Settings

NAME = "storyteller"
LONGEST_POOL: Final = 120
MOST_MODIFIER: Final = 20
STANDARD: Final = 6
"""The difficulty of a roll of which none is said (storyteller.txt, Success and Failure)."""
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
TO_BE_SET = 0
"""The difficulty of a roll that is announced: the GM sets it, so there are no odds yet."""
BETWEEN: Final = Between(LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY)
KINDS: Final = OneOf.of(KIND_WORDS)
DIFFICULTIES: Final = OneOf(lambda *_none: difficulties())
Difficulty = Annotated[int, BETWEEN, DIFFICULTIES, gettext_lazy("Difficulty")]


@dataclass(frozen=True, kw_only=True)
class StorytellerInput(base.RollInput):
    """The terms of a roll of `traits` of a sheet, or of a typed number of `dice` (1 to 100): of the form, of a request, of a
    procedure.

    `modifier` in dice, `difficulty` 2 to 10, or TO_BE_SET; `kind` one of roll.Kind, an action being what its traits make it;
    `willpower` spends a point of the sheet, `automatic` asks to be let through without dice. `unhurt` leaves out what wounds
    would take from the pool.
    """

    system: ClassVar[str] = NAME

    traits: tuple[str, ...] = ()
    dice: int | None = None
    modifier: Annotated[int, Between(-MOST_MODIFIER, MOST_MODIFIER), gettext_lazy("Modifier")] = 0
    difficulty: Difficulty = STANDARD
    kind: Annotated[str, KINDS, gettext_lazy("Roll type")] = Kind.ACTION.value
    willpower: Annotated[bool, gettext_lazy("Spend Willpower")] = False
    automatic: Annotated[bool, gettext_lazy("Automatic success, without dice")] = False
    unhurt: Annotated[bool, gettext_lazy("Ignore wounds")] = False

    @classmethod
    def of(cls, terms: Terms) -> Self:
        """Return what a request asks for."""
        known = {name: terms[name] for name in ("dice", "difficulty", "kind", "automatic") if terms.get(name)}
        return cls(traits=tuple(terms.get("traits") or ()), **{"difficulty": TO_BE_SET, **known})

    @property
    def terms(self) -> Terms:
        """Return the terms of a request for it."""
        pool: Terms = {"traits": [*self.traits]} if self.traits else {} if self.dice is None else {"dice": self.dice}
        is_set = {} if self.difficulty == TO_BE_SET else {"difficulty": self.difficulty}
        return {"kind": self.kind, "automatic": self.automatic, **is_set, **pool}

    @property
    def pool(self) -> str:
        """Return what stands in the field of its pool: labels or a number; "" if the roller chooses."""
        return " + ".join(map(sheet.label_of, self.traits)) or str(self.dice or "")

    @property
    def words(self) -> Message:
        """Return words such as "Perception + Alertness, difficulty 7"."""
        kind, is_set = Kind(self.kind), self.difficulty != TO_BE_SET
        own = joined(" + ", map(sheet.label_said, self.traits))
        pool = ngettext("{count} die", "{count} dice", self.dice) if self.dice else own
        words: list[Message] = [pool or gettext("A roll")]
        if is_set:
            words.append(gettext("difficulty {difficulty}", difficulty=self.difficulty))
        # Kinds made of their own traits describe themselves.
        if kind is not Kind.ACTION and not (pool and kind in OWN_KINDS.values()):
            words.append(worded(KIND_WORDS[kind]))
        if self.automatic:
            words.append(gettext("automatic success allowed") if is_set else gettext("asks for an automatic success"))
        return joined(", ", words)

    def settled(self) -> Self:
        """Return it as it is asked for before anybody’s sheet is known: traits by their codes, and the kind that they make.
        Raises a RuleError or a SheetError."""
        traits = sheet.pool({}, self.traits).traits if self.traits else ()
        dice = None if traits or self.dice is None else typed_pool(self.dice).dots
        kind = kind_of(self.kind, traits).value
        return replace(self, traits=tuple(trait.name for trait in traits), dice=dice, kind=kind)

    def on(self, values: Values, settings: Settings, extra_dice: Callable[[Kind], int]) -> Ask:
        """Return the roll on a sheet with these values, with the dice that Burns put into one of its kind. Raises a RuleError
        or a SheetError.

        Only actions lose dice to wounds, and a typed number of dice already accounts for them. Both are our decisions.
        """
        rated = sheet.pool(values, self.traits) if self.traits else sheet.TraitPool(())
        kind = kind_of(self.kind, rated.traits)
        if self.traits:
            lost = wound_penalty(sheet.wounded(values), settings.wound_penalties) if kind is Kind.ACTION else 0
            pool = Pool(
                dots=rated.dice,
                modifier=self.modifier,
                extra_dice=extra_dice(kind),
                wounds=0 if self.unhurt else lost,
                wounds_left_out=lost if self.unhurt else 0,
                ability=rated.ability,
                traits=rated.traits,
            )
        elif self.dice is None:
            message = _("Type what to roll: traits or a number of dice.")
            raise NotPossible("pool", None, allowed="traits or dice", message=message)
        else:
            pool = typed_pool(self.dice, modifier=self.modifier, extra_dice=extra_dice(kind))
        return Ask(pool=pool, difficulty=self.difficulty, kind=kind, willpower=self.willpower)


def typed(pool: str) -> dict[str, Any]:
    """Return the terms that a pool is typed as: a number of dice, or traits joined by plus signs."""
    if pool.isdecimal():
        return {"dice": int(pool[:9])}
    return {"traits": tuple(pool.split("+")) if pool else ()}


def kind_of(said: str, traits: Sequence[Trait]) -> Kind:
    """Return the kind of a roll of these traits. Those with a roll of their own turn an action into that roll, whatever form it
    comes from, and other traits never make one. Raises a RuleError.
    """
    kind = word("kind", said, Kind)
    kinds = {OWN_KINDS.get(sheet.SHEET.group_of(trait.name)) for trait in traits}
    made = kinds.pop() if len(kinds) == 1 else None
    if kind is Kind.ACTION:
        return made or kind
    # The group decides what a row is: another Path has other virtues.
    named = any("/" not in trait.name for trait in traits)
    if named and kind in OWN_KINDS.values() and kind is not made:
        message = _("{trait} can’t be rolled as that. Choose another roll type.").format(trait=traits[0].label)
        raise NotPossible("kind", said, allowed="another kind", message=message)
    return kind


def check_spared(asked: Ask) -> None:
    """Refuse a player who would choose what feeds no Scale but by its traits: soak, damage and initiative are rolled with what
    makes them, Willpower, Humanity and virtues with themselves. All else is the GM's to choose, or to ask for. Raises a
    RuleError."""
    kind, traits = asked.kind, asked.pool.traits
    if kind in (Kind.ACTION, kind_of(Kind.ACTION, traits)) or sheet.makes(kind.value, traits):
        return
    reason = SPARED.get(kind) or _("Only your GM can choose this roll type.")
    instead = _("Roll it as an action, or ask your GM to call for it.")
    raise NotPossible("kind", kind, allowed="action", message=f"{reason} {instead}")


def rated_values(character: Character | None) -> Values:
    """Return the values that traits are looked up in: none without a Storyteller sheet."""
    return character.sheet if character is not None and character.system == NAME else {}


def trait_words(traits: Iterable[Mapping[str, str]]) -> list[str]:
    """Return the names of the traits that a roll keeps: labels of the sheet's own, and the typed names of rows."""
    return [trait.get("name") or sheet.label_of(trait["code"]) for trait in traits]


# One point of Willpower in a turn, where a conflict runs the turns (storyteller.txt, Automatic Successes).


NO_ONE_TO_PAY: Final = gettext_lazy("Only characters can spend Willpower.")
PAID_BEFORE: Final = gettext_lazy(
    "{name} has already spent Willpower this turn. The next point can be spent in the next round."
)


def turn_of(character: Character, open_now: Iterable[Procedure]) -> str:
    """Return the round of the open conflict in which a character takes part, as its rolls keep it; "" outside turns."""
    for one in open_now:
        if (one.system, one.kind) == (character.system, "conflict") and any(
            other["character"] == str(character.pk) for other in one.state["participants"]
        ):
            return f"{one.pk} {one.state['round']}"
    return ""


def has_paid(character: UUID, turn: str) -> bool:
    """Return whether a roll of the character that stands has spent a point in this turn."""
    return Roll.objects.filter(character=character, voided_at=None, ask__turn=turn).exists()


# The forms: of the composer, and of a correction


@asks(StorytellerInput)
class StorytellerForm(RollForm):
    """`pool` is a number of dice, or traits joined by plus signs."""

    roll_input = StorytellerInput

    pool = LineField(label=gettext_lazy("Traits or dice"), max_length=LONGEST_POOL, required=False)

    def given(self) -> dict[str, Any]:
        left_to_gm = {"difficulty": TO_BE_SET} if self.cleaned_data["announce"] else {}
        return super().given() | left_to_gm | typed(self.cleaned_data["pool"].strip())

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """Return the context of the form: the dice of a quick NPC, Willpower points left (None without a Storyteller
        character), whether the viewer lets large pools through, and announces rolls whose difficulty the GM sets.
        """
        mine = hand["character"] if hand and hand["system"] == NAME else None
        options = cls.options()
        # Before the roll an action is what its traits make it; the GM who corrects one has the last word.
        action = (Kind.ACTION.value, _("Automatic (usually an action)"))
        return {
            "labels": cls.labels(),
            "kinds": [action, *options["kind"][1:]],
            "faces": "7 1 1 3 2",
            "pool": sheet.SHEET.number(mine.secret, sheet.POOL) if mine and mine.is_npc and viewer.is_gm else 0,
            "willpower": mine.number("willpower_now") if mine else None,
            "difficulty": STANDARD,
            "difficulties": options["difficulty"],
            "announces": not viewer.is_gm,
            "automatic": viewer.is_gm or roll_settings(viewer.campaign).of(Settings).automatic_success,
        }

    @classmethod
    def spent(cls, viewer: Viewer, character: Character) -> dict[str, str]:
        """Return why the point of Willpower of this turn is not there any more, if it has been spent."""
        turn = turn_of(character, open_to(viewer))
        return {"willpower": _("spent this round")} if turn and has_paid(character.pk, turn) else {}


@asks(StorytellerInput, only=("difficulty", "kind"))
class StorytellerCorrection(CorrectionForm):
    ability = forms.IntegerField(label=gettext_lazy("Ability"), min_value=0, max_value=10, required=False)


# /r, the command of Storyteller rolls: a line of text becomes the fields of their form.
#
# /r 5 d7                          five dice at difficulty 7
# /r perception+alertness d8 +1 w  a pool of traits, difficulty, modifier, a Willpower point
# /r wits+stealth unhurt           without what wounds take from the pool
# /r stamina+fortitude soak        a soak roll; of other traits, or of dice by number, the GM’s to make
# /r willpower d8                  a roll of its own kind, which its traits say
# /r self-control+animal ken       traits as the sheet spells them


_TERM: Final = re.compile(r"(?P<pool>\d{1,4})|d(?P<difficulty>\d{1,4})|(?P<modifier>[+-]\d{1,4})")
_TRAIT: Final = re.compile(r".*[^\W\d_].*|#\d+")  # of its name: self-control, #2
# Blanks around the plus between two traits are none between two words; "+ 1" is a modifier either way.
_PLUS: Final = re.compile(r"\s*\+\s*(?=[^\W\d_])")
_SIGN: Final = re.compile(r"(?<=[+-])\s+(?=\d)")


class StorytellerCommand(SlashCommand):
    words = ("/r", "/roll")
    usage = gettext_lazy("Try /r 5 d7 or /r perception+alertness d7 +1 w # what it’s for.")
    examples = (
        ("/r 5 d7", gettext_lazy("roll 5 dice at difficulty 7")),
        (gettext_lazy("/r wits+stealth w"), gettext_lazy("roll traits of your sheet, with a Willpower point")),
    )

    keywords = {
        "w": ("willpower", "on"),
        "wp": ("willpower", "on"),
        "unhurt": ("unhurt", "on"),
        **{kind: ("kind", kind) for kind in ("action", "soak", "virtue", "initiative", "damage", "other")},
    }

    def keyword(self, word: str) -> tuple[str, str] | None:
        term = _TERM.fullmatch(word)
        return (str(term.lastgroup), term[term.lastgroup or 0]) if term else super().keyword(word)

    def read(self, typed: Sequence[str]) -> Fields:
        fields, traits = Fields(), []
        for said in _SIGN.sub("", _PLUS.sub("+", " ".join(typed))).casefold().split():
            if known := self.keyword(said):
                fields.put(*known)
            elif _TRAIT.fullmatch(said):
                traits.append(said)
            else:
                raise SlashError(_("“{word}” isn’t part of a Storyteller roll.").format(word=said[:40]))
        if traits:
            fields.put("pool", " ".join(traits))
        if "pool" not in fields:
            raise SlashError(_("Type a number of dice, or traits."))
        return fields
