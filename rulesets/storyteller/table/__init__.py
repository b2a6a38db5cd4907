"""Storyteller rolls at the table."""

from rulesets.storyteller.table.ask import RollInput
from rulesets.storyteller.table.play import StorytellerTable

__all__ = ["RollInput", "StorytellerTable"]
