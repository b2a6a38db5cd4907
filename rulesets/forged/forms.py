"""The roll form of the forged rules, and the correction of what the GM had said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from campaigns.models import Viewer
from characters.queries.in_play import in_play
from languages.letters import fold
from languages.text import gettext_lazy, pgettext_lazy
from rolls.forms.asked import asks
from rolls.forms.base import CorrectionForm, FacesField, RollForm
from rolls.settings import RollSettings, roll_settings
from rolls.slash import Fields, SlashCommand, SlashError
from rulesets.forged import sheet
from rulesets.forged.rules.action import Effect, Position
from rulesets.forged.rules.roll import D6, Settings
from rulesets.forged.table import ForgedTable
from rulesets.forged.terms import (
    TERMS,
    TRADES,
    ActionTerms,
    ForgedTerms,
    FortuneTerms,
    Kind,
    ResistanceTerms,
    harms,
    has_sheet,
)
from rulesets.forged.words import ATTRIBUTE_WORDS, EFFECT_WORDS, MENU, POSITION_WORDS

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


@asks(ActionTerms, ResistanceTerms, only=ForgedTable.correctable)
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
        self.order_fields((*ForgedTable.correctable, "note", "reason"))
        if (kind := self.initial.get("kind")) is None:
            return
        for name in ForgedTable.correctable:
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
