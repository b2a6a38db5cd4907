"""The targets of procedures' effects: sheets, clocks, characters and the play log (rules/effects.py); and what
follows by the rules from the sheets that an operation wrote.

Whoever takes a step may cause everything that the rules let follow from it: the winner's press hurts the loser of a contest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from campaigns.models import ClockKind, ClockOwner
from campaigns.models.play import Manner
from campaigns.services.clocks import Draft, make_by_rules, tick_by_rules
from campaigns.services.log import UnitOfWork
from campaigns.services.play import speak
from characters.models import Character
from characters.services.cards import retire_by_rules
from characters.services.sheet_writes import get_character, take_steps, take_written
from rolls.queries.procedures import under_way
from rolls.registry import RULESETS, procedure_called
from rolls.settings import roll_settings
from rules.checked import restored
from rules.effects import Effect, NewClock, Retire, Tick, Write
from rules.procedures import SheetSnapshot, Snapshot


@dataclass
class Table:
    """Everything outside of procedures, in one operation.

    Raises Invalid or Conflict if a sheet cannot hold what is to be written, Invalid for an impossible clock.
    """

    work: UnitOfWork

    def write(self, effect: Write) -> None:
        take_steps(self.work, self._character(effect.character), effect.steps, why=effect.why, follows=effect.follows)

    def tick(self, effect: Tick) -> None:
        tick_by_rules(self.work, UUID(effect.clock), effect.ticks, reason=effect.reason)

    def make_clock(self, effect: NewClock) -> None:
        owner = Character(pk=UUID(effect.character)).subject.key if effect.character else ClockOwner.GM.value
        draft = Draft(effect.name, effect.segments, ClockKind(effect.kind), owner=owner)
        make_by_rules(self.work, UUID(effect.clock), draft, filled=effect.filled)

    def retire(self, effect: Retire) -> None:
        retire_by_rules(self.work, Character(pk=UUID(effect.character)), dead=effect.dead)

    def say(self, words: str) -> None:
        speak(self.work, Manner.NARRATION if self.work.by.is_gm else Manner.PLAYER, words)

    def _character(self, character: str) -> Character:
        return get_character(self.work, Character(pk=UUID(character)))


def effects_due(work: UnitOfWork) -> list[tuple[str, Effect]]:
    """Return the effects that follow from sheets written since the last call, each with its ruleset."""
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
    """Return the procedures of a ruleset that go on, by kind."""
    found: dict[str, list[tuple[str, Any]]] = {}
    for one in under_way(work.campaign):
        if one.system == system and (rules := procedure_called(system, one.kind)):
            found.setdefault(one.kind, []).append((str(one.pk), restored(rules.state, one.state)))
    return found
