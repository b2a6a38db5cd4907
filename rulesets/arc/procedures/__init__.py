"""What several people settle together in VI-VIII-X, by its kinds."""

from __future__ import annotations

from rolls.procedures import ProcedureRules
from rulesets.arc.procedures.check import CHECK

PROCEDURES: dict[str, ProcedureRules] = {"check": CHECK}
