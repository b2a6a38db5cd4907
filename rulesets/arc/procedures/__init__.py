"""What several people settle together in VI-VIII-X, by its kinds."""

from __future__ import annotations

from rolls.function_procedures import FunctionProcedure
from rulesets.arc.procedures.check import CHECK
from rulesets.arc.procedures.tracker import TRACKER

PROCEDURES: dict[str, FunctionProcedure] = {"check": CHECK, "tracker": TRACKER}
