from rolls.models.fairness import Epoch, Witness
from rolls.models.rolls import Audience, Roll, RollRequest

__all__ = ["Audience", "Epoch", "Roll", "RollRequest", "Witness"]
