"""The roll form of Storyteller, and its correction."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.models import Character
from languages.text import gettext_lazy
from rolls.forms.base import CorrectionForm, RollForm, WholeNumber
from rolls.queries.procedures import open_to
from rolls.settings import roll_settings
from rolls.slash import Fields, SlashCommand, SlashError
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
