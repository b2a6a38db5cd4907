"""Descriptors at the table: pool against pool."""

from rulesets.descriptors.table.ask import DescriptorsInput
from rulesets.descriptors.table.play import DescriptorsTable

__all__ = ["DescriptorsInput", "DescriptorsTable"]
