"""What several people settle together by the forged rules, by its kinds."""

from __future__ import annotations

from rolls.procedures import ProcedureRules
from rulesets.forged.procedures.downtime import DOWNTIME
from rulesets.forged.procedures.engagement import ENGAGE, OPENING
from rulesets.forged.procedures.fortune import FORTUNE

PROCEDURES: dict[str, ProcedureRules] = {
    "engage": ENGAGE,
    "engagement": OPENING,
    "fortune": FORTUNE,
    "downtime": DOWNTIME,
}
