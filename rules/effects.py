"""What a roll writes on sheets."""

from __future__ import annotations

from dataclasses import dataclass

from characters.reasons import Reason
from characters.sheets.steps import Step


@dataclass(frozen=True, slots=True, kw_only=True)
class Write:
    """Take these steps on the sheet of a `character`, by its id; `why` is the reason in the log."""

    character: str
    steps: tuple[Step, ...]
    why: Reason
