"""Storyteller rolls at the table."""

from rulesets.storyteller.table.ask import StorytellerInput
from rulesets.storyteller.table.play import StorytellerTable

__all__ = ["StorytellerInput", "StorytellerTable"]
