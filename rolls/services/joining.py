"""Asking the add-ons: what each does in the transaction of a roll (rolls/joining.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from campaigns.services.log import UnitOfWork
from rolls.joining import HookContext, Marks, RollHook, Told
from rolls.models import Audience, Roll
from rolls.registry import ADD_ONS
from rolls.settings import RollSettings

Kept = Sequence[RollHook]
Tellings = Mapping[str, Told]
"""The data of add-ons, by the name of each."""
"""The hooks for which what followed from a roll stands when it is corrected."""


def context_of(roll: Roll, settings: RollSettings) -> HookContext:
    return HookContext(
        campaign=roll.campaign,
        character=roll.character,
        system=roll.system,
        kind=roll.kind,
        audience=Audience(roll.audience),
        settings=settings,
        has_dice=bool(roll.faces),
    )


def extra_dice(context: HookContext) -> int:
    """Return the number of dice that all add-ons put into the pool. Asking changes nothing."""
    return sum(hook.extra_dice(context) for hook in _hooks())


def odds_lines(context: HookContext, terms: Mapping[str, Any]) -> list[str]:
    """Return the add-ons' lines on a roll that is being set up, shown under its odds."""
    return [line for hook in _hooks() for line in hook.odds(context, terms)]


def check_held(context: HookContext, kept: Kept = ()) -> None:
    """Raises Blocked where an add-on holds up such a roll."""
    for hook in _hooks(kept):
        hook.held(context)


def mark(context: HookContext, roll: Roll, kept: Kept = ()) -> None:
    """Write what add-ons read from the dice into the outcome of a roll that is not stored yet."""
    for name, hook in _named(kept):
        _put(roll, name, hook.marks(context, roll))


def after(work: UnitOfWork, context: HookContext, roll: Roll, kept: Kept = ()) -> Tellings:
    """Let follow from a stored roll what follows."""
    return {name: telling for name, hook in _named(kept) if (telling := hook.after(work, context, roll))}


def undo(work: UnitOfWork, roll: Roll, kept: Kept = ()) -> Tellings:
    """Undo what followed from a roll. Raises Blocked."""
    return {name: telling for name, hook in _named(kept) if (telling := hook.take_back(work, roll))}


def keeping(old: Roll, new: Roll) -> Kept:
    """Return the hooks for which the corrected roll changes nothing; their marks are written into its outcome."""
    keepers = [(name, hook, marks) for name, hook in _named() if (marks := hook.keeps(old, new))]
    for name, _, marks in keepers:
        _put(new, name, marks)
    return [hook for _, hook, _ in keepers]


def hand_over(old: Roll, new: Roll, kept: Kept) -> Tellings:
    return {name: Told(payload=hook.hand_over(old, new)) for name, hook in _named() if hook in kept}


def payload_of(tellings: Tellings) -> dict[str, Any]:
    """Return the add-ons' part of a roll's payload, by the name of each."""
    return {"add_ons": {name: dict(telling.payload) for name, telling in tellings.items()}}


def _named(without: Kept = ()) -> list[tuple[str, RollHook]]:
    return [(name, add_on.hook) for name, add_on in ADD_ONS.items() if add_on.hook and add_on.hook not in without]


def _hooks(without: Kept = ()) -> list[RollHook]:
    return [hook for _, hook in _named(without)]


def _put(roll: Roll, name: str, marks: Marks) -> None:
    if marks.given:
        pairs = zip(roll.outcome["dice"], marks.given, strict=True)
        roll.outcome["dice"] = [die | {"given": given, "given_to": name} for die, given in pairs]
    if marks.aside:
        roll.outcome["asides"] = [*roll.outcome.get("asides", ()), {"add_on": name, "why": marks.aside}]
