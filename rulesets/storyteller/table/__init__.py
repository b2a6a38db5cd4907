"""Storyteller rolls at the table."""

from rulesets.storyteller.table.ask import Ask
from rulesets.storyteller.table.play import TABLE

__all__ = ["TABLE", "Ask"]
