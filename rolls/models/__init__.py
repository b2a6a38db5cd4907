from rolls.models.fairness import SeedEpoch, Witness
from rolls.models.procedures import Procedure, ProcedureStep
from rolls.models.rolls import Audience, Roll, RollRequest, SavedRoll
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
