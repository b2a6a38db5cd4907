from rulesets.scale.models.oracles import OracleTable
from rulesets.scale.models.scale import Burn, BurnSeen, Momentum, Scale, UndoEntry

__all__ = ["Burn", "BurnSeen", "Momentum", "OracleTable", "Scale", "UndoEntry"]
