from rolls.models.fairness import SeedEpoch, Witness
from rolls.models.rolls import Audience, Roll, RollRequest

__all__ = ["Audience", "Roll", "RollRequest", "SeedEpoch", "Witness"]
