"""Storyteller rolls at the table."""

from rulesets.storyteller.table.ask import RollInput
from rulesets.storyteller.table.play import TABLE

__all__ = ["TABLE", "RollInput"]
