"""The roll form of VI-VIII-X."""

from __future__ import annotations

import re
from typing import Any

from django import forms

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from rolls.forms.base import RollForm
from rolls.forms.fields import FacesField, said
from rolls.rules.dice import LARGEST_DIE
from rolls.settings import roll_settings
from rulesets.arc.chips import ChipsField
from rulesets.arc.settings import SCORES, THRESHOLDS, Level, Settings
from rulesets.arc.table.ask import NAME, ArcInput, Kind

KINDS = [
    (Kind.CHECK.value, "check"),
    (Kind.OPPOSED.value, "opposed"),
    (Kind.REACTION.value, "reaction"),
]
NUMBER = re.compile(r"[+-]?[0-9]+")
LEVELS = [(level.value, level.words) for level in Level]


def _number(name: str, limits: tuple[int, int], label: str = "") -> forms.IntegerField:
    low, high = limits
    words = f"{name} goes from {low} to {high}."
    return forms.IntegerField(label=label, min_value=low, max_value=high, required=False, error_messages=said(words))


class ArcForm(RollForm):
    """`stat` and `skill` are names on the sheet, or typed scores: KS and ES."""

    roll_input = ArcInput

    kind = forms.ChoiceField(label="What to roll", choices=KINDS, required=False)
    stat = LineField(label="Stat", max_length=120, required=False)
    skill = LineField(label="Skill", max_length=120, required=False)
    us = _number("A US", SCORES)
    other = ChipsField(label="Other adjustments")
    level = forms.ChoiceField(label="Threshold", choices=LEVELS, required=False)
    threshold = _number("A threshold", THRESHOLDS, label="Threshold")
    som = _number("A SOM", SCORES)
    against = forms.UUIDField(required=False)
    faces = FacesField(LARGEST_DIE, required=False)

    def given(self) -> dict[str, Any]:
        given = super().given()
        other = self.cleaned_data["other"]
        given |= {"other": other.total, "chips": tuple((chip.word, chip.value) for chip in other.chips)}
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
            "labels": cls.labels() | {"threshold": "Another threshold"},
            "levels": [
                (level.value, f"{level.words}, {threshold}") for level, threshold in zip(Level, thresholds, strict=True)
            ],
            "level": Level.AVERAGE.value,
            "faces": "5",
            "is_gm": viewer.is_gm,
            "has_sheet": bool(hand and hand["system"] == NAME),
        }
