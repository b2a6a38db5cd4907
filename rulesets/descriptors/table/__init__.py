"""Descriptors at the table: pool against pool."""

from rulesets.descriptors.table.ask import RollInput
from rulesets.descriptors.table.play import TABLE

__all__ = ["TABLE", "RollInput"]
