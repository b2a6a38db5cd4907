"""The procedures of VI-VIII-X, by their kinds."""

from __future__ import annotations

from rolls.forms.asked import played
from rolls.procedures import Played
from rulesets.arc.procedures import check, tracker

PROCEDURES: dict[str, Played] = {
    "check": played("arc", check.Check, check.FORMS),
    "tracker": played("arc", tracker.Tracker, tracker.FORMS),
}
