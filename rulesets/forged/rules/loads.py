"""Load at the table: how much each carries into a score, declared once; and which of their things turn up (public rules).

How long it lasts is our decision, for nobody says: until what the score has brought is written down, when the downtime begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from characters.reasons import Reason
from characters.sheets.steps import Put, Step
from rolls.rules.acts import Actor
from rolls.rules.effects import StepResult, Write
from rolls.rules.errors import NotPossible
from rolls.rules.function_procedures import Act, AvailableAct
from rolls.rules.procedures import SheetSnapshot, Snapshot, Values
from rulesets.forged.rules.score import MOST_ITEMS, Load
from rulesets.forged.sheet import SHEET

CHOOSE, CARRY, REST = "choose", "carry", "rest"
CHOICES: Final = tuple(Load)
ARMOR: Final = ("armor", "heavy_armor", "special_armor")
LOADED = Reason("forged_load", "load for a score")
CARRIED = Reason("forged_carried", "carried into the score")


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """Somebody's load, "" before it is chosen, how much of it is carried so far, and whether anything else on their sheet still
    `fits`."""

    key: str
    name: str
    character: str
    load: str = ""
    carried: int = 0
    fits: bool = False
    there: bool = True

    @property
    def most(self) -> int:
        return MOST_ITEMS[Load(self.load)] if self.load else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Loads:
    those: tuple[Carrier, ...]

    def found(self, key: str) -> Carrier:
        one = next((one for one in self.those if one.key == key), None)
        if one is None or not one.there:
            message = f"{one.name if one else 'Nobody of these'} is not in play any more."
            raise NotPossible("whom", key, allowed="who is here", message=message)
        return one


def start(given: Values) -> Loads:
    """`given`: `those` who go, as (name, character). Everybody begins anew: whatever was carried is put down when they choose."""
    those = tuple(Carrier(key=str(number), **one) for number, one in enumerate(given["those"], 1))
    if not those:
        message = "Nobody here has a forged sheet."
        raise NotPossible("characters", 0, allowed="1 or more", message=message)
    return Loads(those=those)


def may(state: Loads, who: Actor) -> Sequence[AvailableAct]:
    offers: list[AvailableAct] = []
    for one in state.those:
        if one.there and who.plays(one.character):
            choices = [] if one.load else [AvailableAct(CHOOSE, f"{one.key}.{load}") for load in CHOICES]
            offers += choices or ([AvailableAct(CARRY, one.key)] if one.fits else [])
    if who.is_gm and unchosen(state):
        offers.append(AvailableAct(REST))
    return offers


def unchosen(state: Loads) -> list[Carrier]:
    return [one for one in state.those if one.there and not one.load]


def act(state: Loads, by: Actor, act: Act) -> Loads | StepResult[Loads]:
    if act.name == REST:
        return _rest(state, act)
    key, _, load = act.whom.partition(".")
    one = state.found(key)
    there = act.seen.sheets.get(one.character) if act.seen else None
    if there is None:
        raise NotPossible("whom", key, allowed="who is here", message=f"{one.name} is not in play any more.")
    if act.name == CHOOSE and load in CHOICES:
        return _chosen(state, one, there, Load(load))
    if act.name == CARRY:
        return _carried(state, one, there, act.values["item"])
    raise NotPossible("act", act.name, allowed="what is shown", message="Choose a load that there is.")


def _chosen(state: Loads, one: Carrier, there: SheetSnapshot, load: Load) -> StepResult[Loads]:
    """Once a score: all armour is restored, and nothing is carried yet."""
    if one.load:
        message = f"{one.name} has chosen already. The GM may take that back."
        raise NotPossible("load", load, allowed="once a score", message=message)
    steps = (Put("load", load.value), *put_down(there.values), *restored(there.values))
    return StepResult(_with(state, replace(one, load=load.value, carried=0)), [_write(one, steps, LOADED)])


def _rest(state: Loads, act: Act) -> StepResult[Loads]:
    """Nobody holds the others up: a GM lets all who have not chosen carry a normal load."""
    sheets = act.seen.sheets if act.seen else {}
    after = StepResult(state)
    for one in unchosen(state):
        if one.character in sheets:
            chosen = _chosen(after.state, one, sheets[one.character], Load.NORMAL)
            after = StepResult(chosen.state, (*after.effects, *chosen.effects))
    if not after.effects:
        raise NotPossible("act", act.name, allowed="what is shown", message="Everybody has chosen a load already.")
    return after


def put_down(values: Values) -> tuple[Step, ...]:
    """Of everything that is carried."""
    return tuple(Put(f"items/{row['id']}/carried", to=False) for row in SHEET.rows(values, "items") if row["carried"])


def restored(values: Values) -> tuple[Step, ...]:
    """Of boxes of armour that are marked (forged.txt, Armor)."""
    return tuple(Put(box, to=False) for box in ARMOR if SHEET.value(values, box))


def _carried(state: Loads, one: Carrier, there: SheetSnapshot, item: str) -> StepResult[Loads]:
    """An item of the sheet turns up, as far as the load has room for it."""
    if not one.load:
        raise NotPossible("load", "", allowed="a load", message=f"{one.name} has yet to choose a load.")
    row = next((row for row in SHEET.rows(there.values, "items") if row["id"] == item), None)
    if row is None or row["carried"]:
        message = "That is carried already." if row else "Choose something that is on the sheet."
        raise NotPossible("item", item, allowed="an item that is not carried yet", message=message)
    now = one.carried + row["load"]
    if now > one.most:
        message = f"“{row['name']}” is {row['load']} load, and {one.name} has room for {one.most - one.carried}."
        raise NotPossible("item", item, allowed=f"load up to {one.most - one.carried}", message=message)
    steps = (Put(f"items/{item}/carried", to=True),)
    return StepResult(_with(state, replace(one, carried=now)), [_write(one, steps, CARRIED)])


def _write(one: Carrier, steps: tuple[Step, ...], why: Reason) -> Write:
    return Write(character=one.character, steps=steps, why=why)


def _with(state: Loads, changed: Carrier) -> Loads:
    return Loads(those=tuple(changed if one.key == changed.key else one for one in state.those))


def carried_of(values: Values) -> int:
    """How much of a sheet is carried."""
    return sum(row["load"] for row in SHEET.rows(values, "items") if row["carried"])


def reads(state: Loads, seen: Snapshot) -> Loads:
    """With what is carried now, of those who have chosen."""
    return Loads(those=tuple(_as_it_is(one, seen) for one in state.those))


def _as_it_is(one: Carrier, seen: Snapshot) -> Carrier:
    there = seen.sheets.get(one.character)
    if there is None:
        return replace(one, there=False)
    if not one.load:
        return replace(one, there=True, name=there.name, carried=0, fits=False)
    carried = carried_of(there.values)
    fits = any(carried + row["load"] <= one.most for row in left_of(there.values))
    return replace(one, there=True, name=there.name, carried=carried, fits=fits)


def left_of(values: Values) -> list[dict[str, Any]]:
    """What of a sheet is not carried."""
    return [row for row in SHEET.rows(values, "items") if not row["carried"]]


def waiting(state: Loads) -> Sequence[tuple[str, str]]:
    return [(one.key, "to choose a load") for one in state.those if one.there and not one.load]


def played(state: Loads) -> list[str]:
    return [one.character for one in state.those]
