"""The forms of Storyteller: of a roll, its correction and its command, and of an attack."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django import forms
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.models import Character
from languages.text import colon, gettext_lazy
from rolls.forms.asked import ActForm
from rolls.forms.base import CorrectionForm, RollForm, WholeNumber
from rolls.queries.procedures import open_to
from rolls.settings import roll_settings
from rolls.slash import Fields, SlashCommand, SlashError
from rolls.stage import Prepared, Press, Presses, dice_words, faces
from rules.errors import RuleError
from rules.table import Table
from rulesets.storyteller.procedures.attack import Attack
from rulesets.storyteller.procedures.conflict import Conflict, Participant, foes
from rulesets.storyteller.rows import Person, Side
from rulesets.storyteller.rules.damage import HARM_WORDS, MOST_DAMAGE_DICE, Harm
from rulesets.storyteller.rules.roll import Kind, difficulties
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Settings
from rulesets.storyteller.sheet import POOL, SHEET
from rulesets.storyteller.table.ask import KIND_WORDS, NAME, TO_BE_SET, StorytellerInput, has_paid, turn_of, typed

STANDARD = 6


class DifficultyField(WholeNumber):
    """2 to 10; left empty it is the standard 6 (storyteller.txt, Success and Failure)."""

    def __init__(self) -> None:
        super().__init__(
            gettext_lazy("Difficulty"), LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD, widget=forms.Select
        )
        self.widget.choices = difficulties


KINDS = [(kind.value, KIND_WORDS[kind]) for kind in Kind]
# Before the roll an action is what its traits make it; the GM who corrects one has the last word.
ASKED_KINDS = [(Kind.ACTION.value, gettext_lazy("Automatic (usually an action)")), *KINDS[1:]]


class StorytellerForm(RollForm):
    """`pool` is a number of dice, or traits joined by plus signs."""

    roll_input = StorytellerInput

    pool = LineField(max_length=120, required=False)
    difficulty = DifficultyField()
    modifier = WholeNumber(None, -20, 20, words=gettext_lazy("Modifier: type a whole number from −20 to 20."))
    kind = forms.ChoiceField(choices=KINDS, required=False)
    willpower = forms.BooleanField(required=False)
    automatic = forms.BooleanField(required=False)
    unhurt = forms.BooleanField(required=False)

    def given(self) -> dict[str, Any]:
        left_to_gm = {"difficulty": TO_BE_SET} if self.cleaned_data["announce"] else {}
        return super().given() | left_to_gm | typed(self.cleaned_data["pool"].strip())

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """Return the context of the form: the dice of a quick NPC, Willpower points left (None without a Storyteller
        character), whether the viewer lets large pools through, and announces rolls whose difficulty the GM sets.
        """
        mine = hand["character"] if hand and hand["system"] == NAME else None
        return {
            "kinds": [(kind, str(words)) for kind, words in ASKED_KINDS],
            "faces": "7 1 1 3 2",
            "pool": SHEET.number(mine.secret, POOL) if mine and mine.is_npc and viewer.is_gm else 0,
            "willpower": mine.number("willpower_now") if mine else None,
            "difficulty": STANDARD,
            "difficulties": difficulties(),
            "announces": not viewer.is_gm,
            "automatic": viewer.is_gm or roll_settings(viewer.campaign).of(Settings).automatic_success,
        }

    @classmethod
    def spent(cls, viewer: Viewer, character: Character) -> dict[str, str]:
        """Return why the point of Willpower of this turn is not there any more, if it has been spent."""
        turn = turn_of(character, open_to(viewer))
        return {"willpower": _("spent this round")} if turn and has_paid(character.pk, turn) else {}


class StorytellerCorrection(CorrectionForm):
    difficulty = DifficultyField()
    kind = forms.ChoiceField(label=gettext_lazy("Roll type"), choices=KINDS)
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
        for word in _SIGN.sub("", _PLUS.sub("+", " ".join(typed))).casefold().split():
            if known := self.keyword(word):
                fields.put(*known)
            elif _TRAIT.fullmatch(word):
                traits.append(word)
            else:
                raise SlashError(_("“{word}” isn’t part of a Storyteller roll.").format(word=word[:40]))
        if traits:
            fields.put("pool", " ".join(traits))
        if "pool" not in fields:
            raise SlashError(_("Type a number of dice, or traits."))
        return fields


# An attack on the card of a conflict


USUAL = ("dexterity + brawl", "dexterity + melee", "dexterity + firearms")
"""What is offered while no traits of whose turn it is are pressed, the most dice first."""
BY_HAND = ("brawl", "melee")
"""The traits with which Strength counts, until somebody says otherwise."""


class StrikeForm(ActForm):
    """An attack as whoever has their turn prepares it on the card of a conflict: each press draws it again with its odds.

    What was pressed comes with the card's own fields, and traits as they stand in the roll form.
    """

    @classmethod
    def prepared(
        cls, table: Table, procedure: Conflict, target: tuple[Any, ...], given: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the pools, targets and damage to press, with the odds, or why there are none."""
        one: Participant = target[0]
        who = table.find(Person, one.character) if one.character else None
        pressed = given.get("pool", "").strip() if given.get("character") == one.id else ""
        pools = [pressed] if pressed else _usual(table, one, who)
        those = [
            other for key, _name in foes(procedure, table, one) for other in procedure.participants if other.id == key
        ]
        roll = next((pool for pool in pools if pool == given.get("roll")), pools[0])
        foe = next((other for other in those if other.id == given.get("target")), those[0] if those else None)
        is_set = _set(given, roll, who)
        attack, why = Attack(), ""
        try:
            attack.open(
                table, **procedure.attacking(table, one, roll, foe.id if foe else ""), **is_set | {"willpower": False}
            )
            attack.willpower = is_set["willpower"]
        except RuleError as refused:
            why = refused.message
        read = {pool: _read(table, one, who, pool) for pool in pools}
        words, dice = read[roll]
        points = SHEET.number(who.values, "willpower_now") if who and not who.quick else 0
        sent = {"roll": roll, "for": roll, "target": foe.id if foe else "", **is_set}
        return {
            "prepared": Prepared(
                kept={name: "on" if value is True else value for name, value in sent.items()},
                rows=[
                    _with(read, roll, attack.attack.difficulty, is_set["willpower"] if points else None),
                    Presses(
                        "target",
                        _("Target"),
                        faces("target", those, foe),
                        "" if those else _("There’s no one to attack. Add a combatant."),
                    ),
                    _damage(is_set, who),
                ],
                odds=None if why else attack.odds(table),
                sends=_("Attack {name}").format(name=foe.name) if foe else "",
                strong=f"{words}{colon()}{dice_words(dice)}" if words else dice_words(dice),
                words=_("undefended"),
                why=why,
            )
        }


def _set(given: Mapping[str, Any], roll: str, who: Person | None) -> dict[str, Any]:
    """Return what goes with this pool; Strength that was pressed for one is no answer for another."""
    by_hand = any(word in roll.lower() for word in BY_HAND)
    strength = given.get("strength") if given.get("for") == roll else by_hand
    return {
        "willpower": bool(given.get("willpower")),
        "dice": min(MOST_DAMAGE_DICE, int(dice[:3])) if (dice := given.get("dice", "")).isdecimal() else 0,
        "strength": bool(strength) and who is not None,
        "harm": Harm(given["harm"]) if given.get("harm") in [*Harm] else Harm.BASHING,
    }


def _with(read: Mapping[str, tuple[str, int]], roll: str, difficulty: int, willpower: bool | None) -> Presses:
    """Return the line of the pools, and of Willpower if there is some."""
    pools = [
        Press(
            name="roll",
            value=pool,
            on=pool == roll,
            key=f"roll-{at}",
            words=words or dice_words(dice),
            strong=str(dice) if words else "",
        )
        for at, (pool, (words, dice)) in enumerate(read.items(), start=1)
    ]
    spent = [_box("willpower", _("Willpower"), is_on=bool(willpower))] if willpower is not None else []
    hard = Press(words=_("Difficulty"), strong=str(difficulty))
    return Presses("with", pgettext("an attack", "With"), [*pools, hard, *spent])


def _damage(is_set: Mapping[str, Any], who: Person | None) -> Presses:
    dice = is_set["dice"]
    strength = _box("strength", _("Strength"), is_on=is_set["strength"], strong=who.strength if who else "")
    less, more = _("One die of damage less"), _("One die of damage more")
    added = ngettext("+{n} die", "+{n} dice", dice).format(n=dice)
    return Presses(
        "damage",
        _("Damage"),
        [
            *([strength] if who else []),
            Press(name="dice", value=max(0, dice - 1), words="−", label=less, key="fewer"),
            Press(words=added),
            Press(name="dice", value=min(MOST_DAMAGE_DICE, dice + 1), words="+", label=more, key="more"),
            *(
                Press(name="harm", value=harm, words=capfirst(str(words)), on=harm is is_set["harm"], key=harm)
                for harm, words in HARM_WORDS.items()
            ),
        ],
    )


def _box(name: str, words: str, *, is_on: bool, strong: object = "") -> Press:
    return Press(name=name, value="" if is_on else "on", words=words, on=is_on, strong=str(strong), key=name)


def _usual(table: Table, one: Participant, who: Person | None) -> list[str]:
    if who is None or who.quick:
        return [str(who.quick if who else one.traits)]
    return sorted(USUAL, key=lambda pool: -Side.of(table, who, one.name, pool, 6).dice_now(table))


def _read(table: Table, one: Participant, who: Person | None, pool: str) -> tuple[str, int]:
    """Return a pool in the words of the reader ("" for a number of dice), with its dice; as it was typed where it is none."""
    try:
        side = Side.of(table, who, one.name, pool, 6)
    except RuleError:
        return pool, 0
    return side.ask.pool if side.traits else "", side.dice_now(table)
