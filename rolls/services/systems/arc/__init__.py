"""Checks of VI-VIII-X, the arc system, at the table."""

from rolls.services.systems.arc.ask import Ask
from rolls.services.systems.arc.play import SYSTEM

__all__ = ["SYSTEM", "Ask"]
