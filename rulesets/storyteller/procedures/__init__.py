"""What several people settle together in Storyteller, by its kinds. None of it is in the text: our decision, see the guide."""

from __future__ import annotations

from typing import Any

from rolls.procedures import ProcedureKind
from rulesets.storyteller.procedures.attack import AttackProcedure
from rulesets.storyteller.procedures.conflict import ConflictProcedure
from rulesets.storyteller.procedures.extended import ExtendedAction
from rulesets.storyteller.procedures.opposed import OpposedAction

PROCEDURES: dict[str, ProcedureKind[Any]] = {
    "extended": ExtendedAction(),
    "opposed": OpposedAction(),
    "conflict": ConflictProcedure(),
    "attack": AttackProcedure(),
}
