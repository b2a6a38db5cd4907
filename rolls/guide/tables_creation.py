"""What new characters are given, drawn from the budgets that the guided pages reckon with."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from characters.creation import BUDGETS
from rolls.guide.content import Table


def given(system: str) -> Table:
    """Every figure of a budget, with our default."""
    budget = BUDGETS[system]()
    rows = tuple((setting.words, str(getattr(budget, name))) for name, setting in budget.settings().items())
    return Table("What there is to spend", ("What", "Figure"), rows)


TABLES: Final[Mapping[str, Callable[[], Table]]] = {f"{system}_creation": partial(given, system) for system in BUDGETS}
