"""A ruleset that is not installed any more: out of every registry, as after a restart without its package."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import pytest

from campaigns import rulesets
from characters import advancement, figures, sheets
from characters.creation import BUDGETS
from rolls import registry
from rolls.settings import GROUPS


def uninstall(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Until the test ends."""
    of_sheets = [sheet.name for sheet in registry.RULESETS[name].sheets]
    known: list[MutableMapping[str, Any]] = [registry.RULESETS, rulesets._installed, GROUPS, BUDGETS]
    for mapping in known:
        monkeypatch.delitem(mapping, name, raising=False)
    for mapping in (sheets.SHEETS, advancement._by_sheet, figures._by_sheet):
        for sheet in of_sheets:
            monkeypatch.delitem(mapping, sheet, raising=False)
