"""What several people settle together in Descriptors, by its kinds."""

from __future__ import annotations

from typing import Any

from rolls.procedures import ProcedureKind
from rulesets.descriptors.procedures.contest import ContestProcedure
from rulesets.descriptors.procedures.recovery import RecoveryProcedure
from rulesets.descriptors.procedures.refreshment import EscalationProcedure, RefreshmentProcedure
from rulesets.descriptors.procedures.scene_descriptor import SceneDescriptorProcedure

PROCEDURES: dict[str, ProcedureKind[Any]] = {
    "contest": ContestProcedure(),
    "recovery": RecoveryProcedure(),
    "scene_descriptor": SceneDescriptorProcedure(),
    "refreshment": RefreshmentProcedure(),
    "escalation": EscalationProcedure(),
}
