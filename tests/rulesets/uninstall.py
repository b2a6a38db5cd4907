"""A ruleset that is not installed any more: out of every registry, as after a restart without its package."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

import pytest

from campaigns.live.render import forget_texts
from characters import sheets
from rolls import registry


class _Contents:
    """What a registry holds, in its order: what is merely put back would come last, and the first ruleset is the usual one."""

    def __init__(self, registry: MutableMapping[str, Any]) -> None:
        self._registry = registry

    @property
    def all(self) -> dict[str, Any]:
        return dict(self._registry)

    @all.setter
    def all(self, contents: dict[str, Any]) -> None:
        self._registry.clear()
        self._registry.update(contents)


def uninstall(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Uninstall a ruleset until the test ends."""
    forget_texts()
    of_sheets = {sheet.name for sheet in registry.RULESETS[name].sheets}
    _leave_out(monkeypatch, registry.RULESETS, {name})
    _leave_out(monkeypatch, sheets.SHEETS, of_sheets)


def _leave_out(monkeypatch: pytest.MonkeyPatch, mapping: MutableMapping[str, Any], names: set[str]) -> None:
    left = {name: value for name, value in mapping.items() if name not in names}
    monkeypatch.setattr(_Contents(mapping), "all", left)
