"""What the procedures of VI-VIII-X read and write of sheets (rules/table.py). Unknown Stats are no part of it."""

from __future__ import annotations

from typing import ClassVar

from rules.table import Sheet
from rulesets.arc.rules.body import Size


class Person(Sheet):
    sheet: ClassVar[str] = "arc"
    system: ClassVar[str] = "arc"

    som: int = 5
    empathy: int = 5
    size: Size = Size.MEDIUM
    unconscious: bool = False
    morality: str = ""
