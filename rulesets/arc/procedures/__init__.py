"""What several people settle together in VI-VIII-X, by its kinds."""

from __future__ import annotations

from rolls.procedures import ProcedureRules
from rulesets.arc.procedures.check import CHECK
from rulesets.arc.procedures.tracker import TRACKER

PROCEDURES: dict[str, ProcedureRules] = {"check": CHECK, "tracker": TRACKER}
