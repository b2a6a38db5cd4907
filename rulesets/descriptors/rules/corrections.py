"""Pools being filled, updated from the sheets and the Scene Descriptors: values that changed or are gone, Will spent
elsewhere, a character who has left play.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from characters.sheets.fields import RowGone
from rules.procedures import Snapshot
from rulesets.descriptors.rules.filling import Entry, Filling, SceneSource, Side, source_of
from rulesets.descriptors.rules.will import Fund, fund_of
from rulesets.descriptors.sheet import SHEET

F = TypeVar("F", bound=Filling)

SCENE_DESCRIPTOR = "scene_descriptor"
"""The kind of procedure that is a Scene Descriptor on the table."""


def funds_now(state: F, seen: Snapshot) -> F:
    """Return the names and sheets of those who take part, and the campaign's decisions; the pools as they were."""
    state = replace(state, decisions=seen.settings) if seen.settings else state
    return replace(state, sides=tuple(_whose(side, seen) for side in state.sides))


def pools_now(state: F, seen: Snapshot) -> F:
    """Return the state with the pools as they are now; a side whose pool changed is not ready. `news` and `corrected`
    say what changed.
    """
    now = funds_now(state, seen)
    corrected: list[str] = []
    for side in now.sides:
        used = tuple(_entry_now(entry, seen) for entry in side.used)
        corrected += [entry.name for entry, now_it_is in zip(side.used, used, strict=True) if now_it_is != entry]
        if used != side.used:
            other = replace(side, used=tuple(entry for entry in used if entry is not None))
            now = now.with_side(other).unready(other)
    now = now.weighed()
    left = [side.name for side, before in zip(now.sides, state.sides, strict=True) if side.gone and not before.gone]
    kept_out = [side for side in now.sides if side.ready and (side.gone or side.short or _is_barred(side))]
    for excluded in kept_out:
        now = now.unready(excluded)
    now = now.weighed()
    news = "left" if left else "pool" if corrected else "will" if kept_out else ""
    if not news:
        return now
    return replace(now, news=news, corrected=tuple(left or corrected or [excluded.name for excluded in kept_out]))


def dice_now(state: F, seen: Snapshot) -> F:
    """Return the state with the dice that Burns put into the pool of the first side, whose roll it will be."""
    mine = state.sides[0]
    extra = seen.extra_dice.get(mine.character or "", 0)
    if extra == mine.extra:
        return state
    now = state.with_side(replace(mine, extra=extra)).unready(mine)
    return now if state.news else replace(now, news="dice", corrected=(mine.name,))


def _whose(side: Side, seen: Snapshot) -> Side:
    if side.character is None:
        return side
    sheet = seen.sheets.get(side.character)
    if sheet is None:
        return replace(side, gone=True)
    return replace(side, name=sheet.name, gone=False, fund=_fund(side.character, seen))


def _fund(character: str, seen: Snapshot) -> Fund | None:
    sheet = seen.sheets[character]
    return fund_of(sheet.values, seen.settings) if sheet.system == SHEET.name else None


def _is_barred(side: Side) -> bool:
    return side.fund is not None and side.fund.block is not None and not side.allowed


def _entry_now(entry: Entry, seen: Snapshot) -> Entry | None:
    source = source_of(entry.source)
    if source is None:
        return entry
    if isinstance(source, SceneSource):
        descriptor = dict(seen.open.get(SCENE_DESCRIPTOR, ())).get(source.descriptor)
        return replace(entry, name=descriptor.name, dice=descriptor.dice) if descriptor else None
    sheet = seen.sheets.get(source.character)
    if sheet is None or sheet.system != SHEET.name:
        return None
    try:
        row = SHEET.row(sheet.values, source.rows, source.row)
    except RowGone:
        return None
    return replace(entry, name=row["name"], dice=row["dice"])
