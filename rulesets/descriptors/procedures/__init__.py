"""What several people settle together in Descriptors, by its kinds."""

from __future__ import annotations

from rolls.procedures import ProcedureRules
from rulesets.descriptors.procedures.contest import CONTEST
from rulesets.descriptors.procedures.recovery import RECOVERY
from rulesets.descriptors.procedures.refreshment import ESCALATION, REFRESHMENT
from rulesets.descriptors.procedures.scene_descriptor import SCENE_DESCRIPTOR

PROCEDURES: dict[str, ProcedureRules] = {
    "contest": CONTEST,
    "recovery": RECOVERY,
    "scene_descriptor": SCENE_DESCRIPTOR,
    "refreshment": REFRESHMENT,
    "escalation": ESCALATION,
}
