"""What follows by the rules from the sheets that an operation has written (rolls/rules/sheet_follows.py)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.services.sheet_writes import take_written
from rolls.queries.procedures import under_way
from rolls.registry import RULESETS, procedure_called
from rolls.rules.effects import Effect
from rolls.rules.procedures import SheetSnapshot, Snapshot
from rolls.rules.states import restored
from rolls.settings import roll_settings


def due(work: UnitOfWork) -> list[tuple[str, Effect]]:
    """What follows from the sheets that were written since this was asked last, each with the ruleset that says so."""
    written = [one for one in take_written(work) if one.plays and not one.is_npc]
    return [(name, effect) for name in work.campaign.systems for effect in _by(work, name, written)]


def _by(work: UnitOfWork, system: str, written: Iterable[Character]) -> list[Effect]:
    ruleset = RULESETS.get(system)
    if ruleset is None or not ruleset.follows:
        return []
    settings = roll_settings(work.campaign).of(ruleset.settings.kind) if ruleset.settings else None
    effects: list[Effect] = []
    for sheet, follow in ruleset.follows.items():
        those = [one for one in written if one.rules.name == sheet and follow.due(one.values, settings)]
        if those:
            sheets = {str(one.pk): SheetSnapshot(name=one.name, system=one.system, values=one.values) for one in those}
            effects += follow.effects(Snapshot(sheets=sheets, open=_open(work, system), settings=settings))
    return effects


def _open(work: UnitOfWork, system: str) -> dict[str, list[tuple[str, Any]]]:
    """The procedures of a ruleset that go on, by kind."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for one in under_way(work.campaign):
        if one.system == system and (rules := procedure_called(system, one.kind)):
            found.setdefault(one.kind, []).append((str(one.pk), restored(rules.state, one.state)))
    return found
