"""The procedures of the forged rules, by their kinds."""

from __future__ import annotations

from typing import Any

from rolls.forms.asked import played
from rolls.procedures import ProcedureKind
from rulesets.forged.procedures.action import CarriedProcedure, StagedAction
from rulesets.forged.procedures.downtime import DowntimeProcedure
from rulesets.forged.procedures.engagement import Engage, Opening
from rulesets.forged.procedures.experience import Experience
from rulesets.forged.procedures.flashback import Flashback
from rulesets.forged.procedures.fortune import Fortune
from rulesets.forged.procedures.load import Loads
from rulesets.forged.procedures.trauma import Trauma

PROCEDURES: dict[str, ProcedureKind[Any]] = {
    "load": played("forged", Loads),
    "engage": played("forged", Engage),
    "engagement": played("forged", Opening),
    "action": StagedAction(),
    "setup": CarriedProcedure(),
    "trauma": played("forged", Trauma),
    "flashback": played("forged", Flashback),
    "fortune": played("forged", Fortune),
    "downtime": DowntimeProcedure(),
    "experience": played("forged", Experience),
}
