"""Forged rolls at the table: actions, resistance and fortune."""

from rulesets.forged.table.ask import RollInput
from rulesets.forged.table.play import ForgedTable

__all__ = ["ForgedTable", "RollInput"]
