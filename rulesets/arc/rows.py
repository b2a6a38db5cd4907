"""What the procedures of VI-VIII-X read and write of sheets (rules/table.py). Unknown Stats are no part of it."""

from __future__ import annotations

from typing import ClassVar

from campaigns.schema import Code
from rules.table import Sheet


class Person(Sheet):
    sheet: ClassVar[str] = "arc"
    system: ClassVar[str] = "arc"

    som: int = 5
    empathy: int = 5
    size: Code = "medium"
    unconscious: bool = False
