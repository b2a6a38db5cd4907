"""The roll form of VI-VIII-X."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _

from campaigns.forms.fields import LineField
from campaigns.models import Viewer
from languages.text import gettext_lazy
from rolls.forms.base import FacesField, RollForm, WholeNumber
from rolls.settings import roll_settings
from rules.dice import LARGEST_DIE
from rulesets.arc.settings import LEVEL_LABELS, SCORES, THRESHOLDS, Level, Settings
from rulesets.arc.table.ask import NAME, ArcInput, ChipsField, Kind

KINDS = [
    (Kind.CHECK.value, gettext_lazy("check")),
    (Kind.OPPOSED.value, gettext_lazy("opposed check")),
    (Kind.REACTION.value, gettext_lazy("reaction")),
]
NUMBER = re.compile(r"[+-]?[0-9]+")
LEVELS = [(level.value, label) for level, label in LEVEL_LABELS.items()]


def _number(name: str, limits: tuple[int, int], label: str = "") -> WholeNumber:
    low, high = limits
    words = format_lazy(gettext_lazy("{name} goes from {low} to {high}."), name=name, low=low, high=high)
    return WholeNumber(label, low, high, words=words)


class ArcForm(RollForm):
    """`stat` and `skill` are names on the sheet, or typed scores: KS and ES."""

    roll_input = ArcInput

    kind = forms.ChoiceField(label=gettext_lazy("Roll type"), choices=KINDS, required=False)
    stat = LineField(label=gettext_lazy("Stat"), max_length=120, required=False)
    skill = LineField(label=gettext_lazy("Skill"), max_length=120, required=False)
    us = _number(gettext_lazy("An Unknown Stat"), SCORES)
    other = ChipsField(label=gettext_lazy("Other adjustments"))
    level = forms.ChoiceField(label=gettext_lazy("Threshold"), choices=LEVELS, required=False)
    threshold = _number(gettext_lazy("A threshold"), THRESHOLDS, label=gettext_lazy("Threshold"))
    som = _number(gettext_lazy("A state of mind"), SCORES)
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
