"""What several people settle together by the forged rules, by its kinds."""

from __future__ import annotations

from typing import Any

from rolls.procedures import ProcedureRules
from rulesets.forged.procedures.action import ACTION
from rulesets.forged.procedures.setup import SETUP
from rulesets.forged.procedures.trauma import TRAUMA

PROCEDURES: dict[str, ProcedureRules[Any]] = {"action": ACTION, "setup": SETUP, "trauma": TRAUMA}
