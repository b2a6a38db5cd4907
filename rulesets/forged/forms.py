"""The roll form of the forged rules, and the correction of what the GM had said."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from characters.queries.in_play import in_play
from rolls.forms.base import CorrectionForm, RollForm
from rolls.forms.fields import FacesField, said
from rolls.settings import roll_settings
from rulesets.forged.rules.action import Direction
from rulesets.forged.rules.body import ACTIONS
from rulesets.forged.rules.roll import D6
from rulesets.forged.settings import Settings
from rulesets.forged.table.ask import LONGEST_WORDS, ForgedInput, Kind, Push, attribute_ratings, harms, has_sheet
from rulesets.forged.table.words import ATTRIBUTE_WORDS, BECOMES, EFFECT_WORDS, MENU, POSITION_WORDS

KINDS = [(Kind.ACTION.value, "Action"), (Kind.RESISTANCE.value, "Resist"), (Kind.FORTUNE.value, "Fortune")]
POSITIONS = [(position.value, words) for position, words in POSITION_WORDS.items()]
EFFECTS = [(effect.value, words) for effect, words in EFFECT_WORDS.items()]
ATTRIBUTES = [(attribute.value, words) for attribute, words in ATTRIBUTE_WORDS.items()]
PUSHES = [
    (Push.NOTHING.value, "no"),
    (Push.DIE.value, "+1 die"),
    (Push.EFFECT.value, "+1 effect"),
    (Push.BOTH.value, "+1 die, +1 effect"),
]
TRADES = [
    ("", "no"),
    (Direction.EFFECT.value, "worse position, +1 effect"),
    (Direction.POSITION.value, "better position, −1 effect"),
]
RESISTING = [(resisting.value, words) for resisting, words in BECOMES.items()]

HOW_MANY = said("Type how many, from 0 to 100.")
RATED = re.compile(r"([^\W\d_][^\d]*?)?\s*(\d{1,12})?")
"""An action of the sheet, a rating, or both: "skirmish", "2", "skirmish 2"."""


def _rated(ratings: Mapping[str, int | None]) -> list[tuple[str, str]]:
    """Return attributes to choose from, with their ratings as far as a sheet says them."""
    return [
        (attribute, words if ratings[attribute] is None else f"{words} {ratings[attribute]}")
        for attribute, words in ATTRIBUTES
    ]


class ForgedForm(RollForm):
    """One form for the three kinds; what belongs to another kind than the chosen one is not looked at."""

    roll_input = ForgedInput

    kind = forms.ChoiceField(label="Kind of roll", choices=KINDS, required=False)
    faces = FacesField(sides=D6.sides, required=False)

    action = LineField(label="Action", max_length=LONGEST_WORDS, required=False)
    position = forms.ChoiceField(label="Position", choices=POSITIONS, required=False)
    effect = forms.ChoiceField(label="Effect", choices=EFFECTS, required=False)
    push = forms.ChoiceField(choices=PUSHES, required=False)
    helper = forms.UUIDField(required=False, error_messages=said("Choose who helps from the list."))
    bargain = LineField(max_length=LONGEST_WORDS, required=False)
    gambit = forms.BooleanField(required=False)
    trade = forms.ChoiceField(choices=TRADES, required=False)
    setup = forms.BooleanField(required=False)
    ability = forms.IntegerField(required=False, error_messages=said("Type by how many levels, from 0 to 10."))
    harm1 = forms.BooleanField(required=False)
    harm2 = forms.BooleanField(required=False)
    unhurt = forms.BooleanField(required=False)
    incapacitated = forms.BooleanField(required=False)

    attribute = forms.ChoiceField(label="With", choices=ATTRIBUTES, required=False)
    rating = forms.IntegerField(required=False, error_messages=said("A rating goes from 0 to 4."))
    consequence = LineField(label="Against", max_length=LONGEST_WORDS, required=False)
    resisting = forms.ChoiceField(label="It", choices=RESISTING, required=False)

    trait = forms.IntegerField(label="Trait", required=False, error_messages=said("Type how many dice, from 0 to 100."))
    advantages = forms.IntegerField(label="Advantages", required=False, error_messages=HOW_MANY)
    disadvantages = forms.IntegerField(label="Disadvantages", required=False, error_messages=HOW_MANY)

    def clean_action(self) -> tuple[str, int | None]:
        """Return the name and the rating that were typed, either of which may be left out."""
        rated = RATED.fullmatch(self.cleaned_data["action"].strip())
        if rated is None:
            raise forms.ValidationError("Write an action, a rating from 0 to 4, or both, such as skirmish 2.")
        name, rating = rated.groups()
        return name or "", int(rating) if rating else None

    def given(self) -> dict[str, Any]:
        name, rating = self.cleaned_data["action"]
        given = super().given() | {"action": name}
        return given | {"rating": rating} if given.get("kind", Kind.ACTION) == Kind.ACTION else given

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """Return who may help, what the sheet of the character at hand gives (attributes, harm), and whether there are
        gambits."""
        settings = roll_settings(viewer.campaign).of(Settings)
        at_hand = hand["character"] if hand else None
        character = at_hand if has_sheet(at_hand) else None
        return {
            "kinds": KINDS,
            "labels": cls.labels(),
            "faces": "4 1 6",
            "has_sheet": has_sheet(character),
            "actions": [action for actions in ACTIONS.values() for action in actions],
            "positions": POSITIONS,
            "effects": EFFECTS,
            "pushes": PUSHES,
            "trades": TRADES,
            "helpers": [helper for helper in in_play(viewer) if helper.owner and helper != at_hand],
            "gambits": settings.gambits,
            "announces": settings.only_gm_sets and not viewer.is_gm,
            "harms": harms(character),
            "attributes": _rated(attribute_ratings(character)),
            "resistings": RESISTING,
            "consequences": list(MENU.values()),
        }


NOT_REDUCED, REDUCED = "no", "yes"
NO_TRADE = "none"
"""What is left empty stays as it was."""


class ForgedCorrection(CorrectionForm):
    """Correct what the GM had said, and whether reduced effect was the consequence. Of other kinds of rolls nothing of it is
    asked."""

    position = forms.TypedChoiceField(label="Position", choices=POSITIONS, required=False, empty_value=None)
    effect = forms.TypedChoiceField(label="Effect", choices=EFFECTS, required=False, empty_value=None)
    trade = forms.TypedChoiceField(
        label="Trade",
        choices=[(NO_TRADE, "no"), *TRADES[1:]],
        coerce=lambda typed: "" if typed == NO_TRADE else typed,
        required=False,
        empty_value=None,
    )
    reduced = forms.TypedChoiceField(
        label="Reduced effect, as a consequence",
        choices=[(NOT_REDUCED, "no"), (REDUCED, "yes, one level less")],
        coerce=lambda typed: typed == REDUCED,
        required=False,
        empty_value=None,
    )
    resisting = forms.TypedChoiceField(label="The consequence", choices=RESISTING, required=False, empty_value=None)

    OF_KIND: ClassVar[dict[str, tuple[str, ...]]] = {
        Kind.ACTION.value: ("position", "effect", "trade", "reduced"),
        Kind.RESISTANCE.value: ("resisting",),
        Kind.FORTUNE.value: (),
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.order_fields(("position", "effect", "trade", "reduced", "resisting", "note", "reason"))
        kind = self.initial.get("kind")
        if kind is None:
            return
        for others in self.OF_KIND.values():
            for name in others:
                if name not in self.OF_KIND[kind]:
                    del self.fields[name]
        if "reduced" in self.initial:
            reduced = REDUCED if self.initial["reduced"] else NOT_REDUCED
            self.initial = {**self.initial, "reduced": reduced, "trade": self.initial["trade"] or NO_TRADE}
