from rolls.models.fairness import Epoch, Witness
from rolls.models.rolls import Audience, Roll, RollRequest
from rolls.models.scale import Burn, BurnSeen, Momentum, Scale, Step

__all__ = ["Audience", "Burn", "BurnSeen", "Epoch", "Momentum", "Roll", "RollRequest", "Scale", "Step", "Witness"]
