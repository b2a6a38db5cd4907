"""Checks of VI-VIII-X, the arc system, at the table."""

from rulesets.arc.table.ask import RollInput
from rulesets.arc.table.play import ArcTable

__all__ = ["ArcTable", "RollInput"]
