"""What several people settle together by the forged rules, by its kinds."""

from __future__ import annotations

from rolls.procedures import ProcedureRules
from rulesets.forged.procedures.downtime import DOWNTIME

PROCEDURES: dict[str, ProcedureRules] = {
    "downtime": DOWNTIME,
}
