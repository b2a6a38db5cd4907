"""The roll form of VI-VIII-X, and its correction."""

from __future__ import annotations

import re
from typing import Any, ClassVar

from django import forms

from campaigns.forms.text import LineField
from campaigns.models import Viewer
from rolls.forms.base import CorrectionForm, RollForm
from rolls.forms.fields import FacesField, said
from rolls.rules.dice import LARGEST_DIE
from rolls.settings import roll_settings
from rulesets.arc.rules.check import LARGEST_OTHER
from rulesets.arc.settings import SCORES, THRESHOLDS, Level, Settings
from rulesets.arc.table.ask import NAME, Kind, RollInput

KINDS = [
    (Kind.CHECK.value, "check"),
    (Kind.OPPOSED.value, "opposed"),
    (Kind.REACTION.value, "reaction"),
]
NUMBER = re.compile(r"[+-]?[0-9]+")
LEVELS = [(level.value, level.words) for level in Level]


def _score(name: str) -> forms.IntegerField:
    words = f"{name} goes from {SCORES[0]} to {SCORES[1]}."
    return forms.IntegerField(min_value=SCORES[0], max_value=SCORES[1], required=False, error_messages=said(words))


def _threshold(**kwargs: Any) -> forms.IntegerField:
    low, high = THRESHOLDS
    words = f"A threshold goes from {low} to {high}."
    return forms.IntegerField(min_value=low, max_value=high, required=False, error_messages=said(words), **kwargs)


class ArcForm(RollForm):
    """`stat` and `skill` are names on the sheet, or typed scores: KS and ES."""

    system: ClassVar[str] = NAME

    kind = forms.ChoiceField(choices=KINDS, required=False)
    stat = LineField(max_length=120, required=False)
    skill = LineField(max_length=120, required=False)
    us = _score("A US")
    other = forms.IntegerField(
        min_value=-LARGEST_OTHER,
        max_value=LARGEST_OTHER,
        required=False,
        error_messages=said(f"Other adjustments go from −{LARGEST_OTHER} to +{LARGEST_OTHER}."),
    )
    level = forms.ChoiceField(choices=LEVELS, required=False)
    threshold = _threshold()
    som = _score("A SOM")
    against = forms.UUIDField(required=False)
    faces = FacesField(LARGEST_DIE, required=False)

    def ask(self) -> RollInput:
        given = self.cleaned_data
        stat, skill = given["stat"].strip(), given["skill"].strip()
        return RollInput(
            **self.common,
            kind=given["kind"] or Kind.CHECK.value,
            stat="" if _is_typed(stat) else stat,
            skill="" if _is_typed(skill) else skill,
            ks=_typed(stat),
            us=given["us"],
            es=_typed(skill),
            other=given["other"] or 0,
            level=given["level"] or Level.AVERAGE.value,
            threshold=given["threshold"],
            som=given["som"],
            against=given["against"],
        )

    @classmethod
    def shown(cls, viewer: Viewer, hand: dict[str, Any] | None) -> dict[str, Any]:
        """The thresholds of this campaign, and whether there are fields for what only a GM knows."""
        thresholds = roll_settings(viewer.campaign).of(Settings).thresholds
        return {
            "kinds": KINDS,
            "levels": [
                (level.value, f"{level.words}, {threshold}") for level, threshold in zip(Level, thresholds, strict=True)
            ],
            "level": Level.AVERAGE.value,
            "faces": "5",
            "is_gm": viewer.is_gm,
            "has_sheet": bool(hand and hand["system"] == NAME),
        }


def _is_typed(text: str) -> bool:
    return bool(NUMBER.fullmatch(text))


def _typed(text: str) -> int | None:
    # Longer numbers are as wrong as their beginnings.
    return int(text[:9]) if _is_typed(text) else None


class ArcCorrection(CorrectionForm):
    threshold = _threshold(label="Threshold")
