"""What several people settle together in Storyteller, by its kinds. None of it is in the text: our decision, see the guide."""

from __future__ import annotations

from rolls.procedures import ProcedureRules
from rulesets.storyteller.procedures.attack import ATTACK
from rulesets.storyteller.procedures.conflict import CONFLICT
from rulesets.storyteller.procedures.extended import EXTENDED
from rulesets.storyteller.procedures.opposed import OPPOSED

PROCEDURES: dict[str, ProcedureRules] = {
    "extended": EXTENDED,
    "opposed": OPPOSED,
    "conflict": CONFLICT,
    "attack": ATTACK,
}
