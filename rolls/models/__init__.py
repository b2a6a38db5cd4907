from rolls.models.fairness import SeedEpoch, Witness
from rolls.models.kept import SavedRoll
from rolls.models.procedures import Procedure, ProcedureStep
from rolls.models.rolls import Audience, Roll, RollRequest
from rolls.models.snapshots import StatisticsSnapshot

__all__ = [
    "Audience",
    "Procedure",
    "ProcedureStep",
    "Roll",
    "RollRequest",
    "SavedRoll",
    "SeedEpoch",
    "StatisticsSnapshot",
    "Witness",
]
