"""What several people settle together by the forged rules, by its kinds."""

from __future__ import annotations

from rolls.function_procedures import FunctionProcedure
from rulesets.forged.procedures.action import ACTION
from rulesets.forged.procedures.downtime import DOWNTIME
from rulesets.forged.procedures.engagement import ENGAGE, OPENING
from rulesets.forged.procedures.experience import EXPERIENCE
from rulesets.forged.procedures.flashback import FLASHBACK
from rulesets.forged.procedures.fortune import FORTUNE
from rulesets.forged.procedures.load import LOAD
from rulesets.forged.procedures.setup import SETUP
from rulesets.forged.procedures.trauma import TRAUMA

PROCEDURES: dict[str, FunctionProcedure] = {
    "load": LOAD,
    "engage": ENGAGE,
    "engagement": OPENING,
    "action": ACTION,
    "setup": SETUP,
    "trauma": TRAUMA,
    "flashback": FLASHBACK,
    "fortune": FORTUNE,
    "downtime": DOWNTIME,
    "experience": EXPERIENCE,
}
