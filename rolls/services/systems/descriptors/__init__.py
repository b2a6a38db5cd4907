"""Descriptors at the table: pool against pool."""

from rolls.services.systems.descriptors.ask import Ask
from rolls.services.systems.descriptors.play import SYSTEM

__all__ = ["SYSTEM", "Ask"]
