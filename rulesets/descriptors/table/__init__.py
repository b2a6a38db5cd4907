"""Descriptors at the table: pool against pool."""

from rulesets.descriptors.table.ask import RollInput
from rulesets.descriptors.table.play import DescriptorsTable

__all__ = ["DescriptorsTable", "RollInput"]
