"""The procedures of VI-VIII-X, by their kinds."""

from __future__ import annotations

from rolls.forms.asked import played
from rolls.procedures import ProcedureKind
from rulesets.arc.procedures import check, tracker

PROCEDURES: dict[str, ProcedureKind] = {
    "check": played("arc", check.Check, check.FORMS),
    "tracker": played("arc", tracker.Tracker, tracker.FORMS),
}
