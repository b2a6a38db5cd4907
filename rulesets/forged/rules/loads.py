"""Load at the table: how much each carries into a score, declared once; and which of their things turn up (public rules).

How long it lasts is our decision, for nobody says: until what the score has brought is written down, when the downtime begins.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from campaigns.schema import Code, Name, Uid
from characters.reasons import Reason
from characters.sheets.steps import Put, Step
from rolls.rules.acts import Target, act, player_of
from rolls.rules.effects import StepResult, Write
from rolls.rules.errors import NotPossible
from rolls.rules.procedures import Act, ProcedureRules, SheetSnapshot, Snapshot, Values
from rulesets.forged.rules.score import MOST_ITEMS, Load
from rulesets.forged.sheet import SHEET

CHOOSE, CARRY, REST = "choose", "carry", "rest"
ARMOR: Final = ("armor", "heavy_armor", "special_armor")
LOADED = Reason("forged_load", "load for a score")
CARRIED = Reason("forged_carried", "carried into the score")


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """Somebody's load, "" before it is chosen, how much of it is carried so far, and whether anything else on their sheet still
    `fits`."""

    key: Code
    name: Name
    character: Uid
    load: Code = ""
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


def unchosen(state: Loads) -> list[Carrier]:
    return [one for one in state.those if one.there and not one.load]


def _sheet(step: Act, one: Carrier) -> SheetSnapshot:
    there = step.seen.sheets.get(one.character) if step.seen else None
    if there is None:
        raise NotPossible("whom", one.key, allowed="who is here", message=f"{one.name} is not in play any more.")
    return there


def _chosen(state: Loads, one: Carrier, there: SheetSnapshot, load: Load) -> StepResult[Loads]:
    """Once a score: all armour is restored, and nothing is carried yet."""
    steps = (Put("load", load.value), *put_down(there.values), *restored(there.values))
    return StepResult(_with(state, replace(one, load=load.value, carried=0)), [_write(one, steps, LOADED)])


def put_down(values: Values) -> tuple[Step, ...]:
    """Of everything that is carried."""
    return tuple(Put(f"items/{row['id']}/carried", to=False) for row in SHEET.rows(values, "items") if row["carried"])


def restored(values: Values) -> tuple[Step, ...]:
    """Of boxes of armour that are marked (forged.txt, Armor)."""
    return tuple(Put(box, to=False) for box in ARMOR if SHEET.value(values, box))


def _carried(state: Loads, one: Carrier, there: SheetSnapshot, item: str) -> StepResult[Loads]:
    """An item of the sheet turns up, as far as the load has room for it."""
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


def _unchosen(state: Loads) -> list[tuple[str, Load]]:
    return [(one.key, load) for one in unchosen(state) for load in Load]


class LoadsRules(ProcedureRules[Loads]):
    """Each chooses for their own, and says what turns up."""

    state = Loads

    def start(self, given: Values) -> Loads:
        """`given`: `those` who go, as (name, character). Everybody begins anew: whatever was carried is put down when they
        choose."""
        those = tuple(Carrier(key=str(number), **one) for number, one in enumerate(given["those"], 1))
        if not those:
            message = "Nobody here has a forged sheet."
            raise NotPossible("characters", 0, allowed="1 or more", message=message)
        return Loads(those=those)

    @act(by=player_of(lambda state, key, load: state.found(key).character), each=_unchosen, tried=False)
    def choose(self, state: Loads, step: Act, key: str, load: Load) -> StepResult[Loads]:
        one = state.found(key)
        return _chosen(state, one, _sheet(step, one), load)

    @act(
        by=player_of(lambda state, key: state.found(key).character),
        each=lambda state: [one.key for one in state.those if one.there and one.load and one.fits],
        asks=True,
    )
    def carry(self, state: Loads, step: Act, key: str) -> StepResult[Loads]:
        one = state.found(key)
        return _carried(state, one, _sheet(step, one), step.values["item"])

    @act(when=lambda state: bool(unchosen(state)), tried=False)
    def rest(self, state: Loads, step: Act) -> StepResult[Loads]:
        """Nobody holds the others up: a GM lets all who have not chosen carry a normal load."""
        after = StepResult(state)
        for one in unchosen(state):
            if step.seen and one.character in step.seen.sheets:
                chosen = _chosen(after.state, one, step.seen.sheets[one.character], Load.NORMAL)
                after = StepResult(chosen.state, (*after.effects, *chosen.effects))
        return after

    def reads(self, state: Loads, seen: Snapshot) -> Loads:
        """With what is carried now, of those who have chosen."""
        return Loads(those=tuple(_as_it_is(one, seen) for one in state.those))

    def waiting(self, state: Loads) -> Sequence[tuple[str, str]]:
        return [(one.key, "to choose a load") for one in state.those if one.there and not one.load]

    def played(self, state: Loads) -> list[str]:
        return [one.character for one in state.those]

    def party(self, state: Loads, target: Target) -> tuple[str, str | None]:
        one = next((one for one in state.those if target[:1] == (one.key,)), None)
        return (one.name, one.character) if one else ("", None)
