"""The field of a difficulty."""

from __future__ import annotations

from rolls.forms.fields import UsualNumber
from rulesets.storyteller.settings import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY

STANDARD = 6


class DifficultyField(UsualNumber):
    """2 to 10; left empty it is the standard 6 (storyteller.txt, Success and Failure)."""

    def __init__(self) -> None:
        super().__init__("A difficulty", LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY, STANDARD)
