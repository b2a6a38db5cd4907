"""What there is to choose in a staged action once its dice have fallen, and its clocks and set-ups (forged.txt, Judge the Result,
Teamwork, Consequences to Armor)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from rules.messages import Words, capital, worded
from rules.messages import gettext as _
from rules.table import Clock, Table
from rulesets.forged.procedures.action_state import ActionState, found, naming
from rulesets.forged.procedures.carried import Carried
from rulesets.forged.rows import Scoundrel, people
from rulesets.forged.rules.action import EFFECTS, Effect
from rulesets.forged.rules.consequence import FATAL, MOST_SIZE, Inflicted
from rulesets.forged.rules.roll import Result
from rulesets.forged.words import FOLLOWS, on_clock


def as_set(action: ActionState, table: Table, *target: Any) -> Any:
    """Return the terms that the GM has set, with what is offered beside them."""
    return [action.stage, *action.terms(table), action.trade, action.by_player]


def as_bargained(action: ActionState, table: Table, *target: Any) -> Any:
    return [action.bargain, action.bargain_by, action.coin, action.item]


def as_it_hits(action: ActionState, table: Table, one: Inflicted, *more: Any) -> Any:
    return one


def grants(action: ActionState, table: Table) -> Sequence[Effect]:
    """Return the effects that the GM may grant on a 1-3, up to the effect it could have had (forged.txt, Judge the Result)."""
    if not naming(action, table) or action.withdrew or action.best.came is not Result.BAD:
        return ()
    most = max(EFFECTS.index(Effect(one.effect)) for one in action.rollers)
    return [effect for effect in EFFECTS[1 : most + 1] if effect is not action.granted]


def takeable(action: ActionState, table: Table, *, fatal: bool) -> list[Inflicted]:
    """Return the consequences that can be taken at once: fatal ones are confirmed separately, and those with an archived clock
    wait for the GM."""
    there = (one for one in action.pending if not action.is_gone(table, one))
    return [one for one in there if (action.row_of(table, one) == FATAL) is fatal]


def resistible(action: ActionState, table: Table) -> list[Inflicted]:
    there = (one for one in action.pending if not one.resisted and not one.price)
    return [one for one in there if any(who.in_play for who in found(table, [one.whom]))]


def armored(action: ActionState, table: Table) -> Iterator[tuple[Inflicted, str]]:
    """Return where armour may be marked; heavy armour is a second box of the first."""
    there = ((one, who) for one in action.pending for who in found(table, [one.whom]) if not one.price)
    return ((one, box) for one, who in there for box in who.free_armor)


def protectable(action: ActionState, table: Table) -> Iterator[tuple[Inflicted, Scoundrel]]:
    """Return who may step in for whom: once, and before the consequence is resisted (forged.txt, Protect)."""
    there = [one for one in action.pending if not (one.resisted or one.marked or one.price or one.first)]
    able = [who for who in people(table) if who.room(table) > 0]
    return ((one, who) for one in there for who in able if who.id != one.whom)


def clocks(action: ActionState, table: Table, *target: Any) -> list[Clock]:
    """Return the running clocks that players know of, as actions are told with their names."""
    return [clock for clock in table.all(Clock) if not clock.hidden]


def ticks(action: ActionState, table: Table, *target: Any) -> Iterator[tuple[str, Words]]:
    """Yield what may be ticked how often, as addresses name it."""
    for clock in clocks(action, table):
        for count in range(1, MOST_SIZE + 1):
            yield f"{clock.id}.{count}", on_clock(count, clock.name)


def or_lost(action: ActionState, table: Table, *target: Any) -> Iterator[tuple[Clock | str, Words]]:
    """Yield where ticks can go whose clock is gone."""
    yield from ((clock, clock.name) for clock in clocks(action, table))
    yield "", _("no clock: they’re lost")


def setups(action: ActionState, table: Table) -> Iterator[tuple[str, Words]]:
    """Yield the set-ups for whoever follows, as they are now."""
    for one in table.all(Carried):
        if not one.over and one.stays and one.serves(action.actor):
            yield one.id, capital(one.words)


def items(action: ActionState, table: Table) -> Iterator[tuple[str, Words]]:
    """Yield the things of who acts, as far as this reader knows them."""
    for who in found(table, [action.actor]):
        if who.shared or table.by.plays(who.id):
            yield from ((key, item.name) for key, item in who.items.items())


def codes(action: ActionState, table: Table) -> Iterator[tuple[str, Words]]:
    return ((code, worded(FOLLOWS[code])) for code in action.choices)


def hit(action: ActionState, table: Table) -> list[Scoundrel]:
    """Return the one who acts first, then all who rolled with them, then helpers (forged.txt, Assist)."""
    rolled = [one.id for one in action.rollers if not one.cohort]
    return found(table, [*rolled, *(one.helper for one in action.rollers if one.helper)])
