"""What the procedures of the forged rules read and write of sheets (rules/table.py)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import BaseModel

from campaigns.schema import Name
from rules.table import Sheet


class Scoundrel(Sheet):
    sheet: ClassVar[str] = "forged"


class Cohort(BaseModel):
    name: Name
    quality: int


class Crew(Sheet):
    sheet: ClassVar[str] = "crew"

    tier: int = 0
    wanted: int = 0
    cohorts: dict[str, Cohort] = {}
