"""What a result of an add-on gives a character, for better or worse, and what that does on a sheet of a ruleset."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from characters.sheets.sheet import Values
from characters.sheets.steps import Step
from rolls.settings import RollSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class Gift:
    """`code` says what, `name` and `words` stand on the sheet. `face` is that of the d10 that it takes, 0 where it takes none."""

    code: str
    name: str
    words: str = ""
    face: int = 0


Gives: TypeAlias = Callable[[Gift, Values, RollSettings], Sequence[Step] | None]
"""The steps on a sheet with these values: none where there is nothing to be done, None where it has no place for that."""


def no_place(gift: Gift, values: Values, settings: RollSettings) -> None:
    return None
