"""The procedures of VI-VIII-X, by their kinds."""

from __future__ import annotations

from typing import Any

from rolls.forms.asked import played
from rolls.procedures import ProcedureKind
from rulesets.arc.procedures.check import FORMS, Check
from rulesets.arc.procedures.tracker import TrackerProcedure

CHECK = played("arc", Check, FORMS)
CHECK.others_go_by_it = True  # type: ignore[misc]  # an event in turns

PROCEDURES: dict[str, ProcedureKind[Any]] = {"check": CHECK, "tracker": TrackerProcedure()}
