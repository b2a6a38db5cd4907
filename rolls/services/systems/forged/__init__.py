"""Forged rolls at the table: actions, resistance and fortune."""

from rolls.services.systems.forged.ask import Ask
from rolls.services.systems.forged.play import SYSTEM

__all__ = ["SYSTEM", "Ask"]
