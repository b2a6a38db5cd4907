"""Storyteller rolls at the table."""

from rolls.services.systems.storyteller.ask import Ask
from rolls.services.systems.storyteller.play import SYSTEM

__all__ = ["SYSTEM", "Ask"]
