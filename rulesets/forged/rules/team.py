"""Forged in the Dark: assisting, group actions, protecting and set-ups (forged.txt, Teamwork)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from rulesets.forged.rules.roll import Result

ORDER: Final = tuple(Result)


class Benefit(StrEnum):
    """What a set-up gives to each who follows; who set it up chooses."""

    EFFECT = "effect"
    POSITION = "position"
