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
        _take_out(monkeypatch, mapping, name)
    for mapping in (sheets.SHEETS, advancement._by_sheet, figures._by_sheet):
        for sheet in of_sheets:
            _take_out(monkeypatch, mapping, sheet)


def _take_out(monkeypatch: pytest.MonkeyPatch, mapping: MutableMapping[str, Any], name: str) -> None:
    """With those after it, which come back: so in the end it is put back before them, since pages go by the order."""
    names = list(mapping)
    after = names[names.index(name) :] if name in mapping else []
    others = {other: mapping[other] for other in after[1:]}
    for one in reversed(after):
        monkeypatch.delitem(mapping, one)
    for other, value in others.items():
        monkeypatch.setitem(mapping, other, value)
