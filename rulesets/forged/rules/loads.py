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
from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.acts import act, player_of
from rules.effects import StepResult, Write
from rules.errors import NotPossible
from rules.procedures import Act, Parties, ProcedureRules, SheetSnapshot, Snapshot, Values
from rulesets.forged.rules.score import MOST_ITEMS, Load
from rulesets.forged.sheet import SHEET

CHOOSE, CARRY, REST = "choose", "carry", "rest"
ARMOR: Final = ("armor", "heavy_armor", "special_armor")
LOADED = Reason("forged_load", gettext_lazy("load for a score"))
CARRIED = Reason("forged_carried", gettext_lazy("carried into the score"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Carrier:
    """A character's load, "" before it is chosen, how much of it is carried so far, and whether anything else on the
    sheet still `fits`.
    """

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
        carrier = next((carrier for carrier in self.those if carrier.key == key), None)
        if carrier is None or not carrier.there:
            raise _gone(key, carrier.name if carrier else "")
        return carrier


def _gone(key: str, name: str) -> NotPossible:
    message = _("{name} is no longer in play.").format(name=name) if name else _("They’re no longer in play.")
    return NotPossible("whom", key, allowed="who is here", message=message)


def unchosen(state: Loads) -> list[Carrier]:
    return [carrier for carrier in state.those if carrier.there and not carrier.load]


def _sheet(step: Act, carrier: Carrier) -> SheetSnapshot:
    sheet = step.seen.sheets.get(carrier.character) if step.seen else None
    if sheet is None:
        raise _gone(carrier.key, carrier.name)
    return sheet


def _chosen(state: Loads, carrier: Carrier, sheet: SheetSnapshot, load: Load) -> StepResult[Loads]:
    """Choose a load, once a score: all armour is restored, and nothing is carried yet."""
    steps = (Put("load", load.value), *put_down(sheet.values), *restored(sheet.values))
    return StepResult(_with(state, replace(carrier, load=load.value, carried=0)), [_write(carrier, steps, LOADED)])


def put_down(values: Values) -> tuple[Step, ...]:
    """Return the steps that put down everything that is carried."""
    return tuple(Put(f"items/{row['id']}/carried", to=False) for row in SHEET.rows(values, "items") if row["carried"])


def restored(values: Values) -> tuple[Step, ...]:
    """Return the steps that restore marked boxes of armour (forged.txt, Armor)."""
    return tuple(Put(box, to=False) for box in ARMOR if SHEET.value(values, box))


def _carried(state: Loads, carrier: Carrier, sheet: SheetSnapshot, item: str) -> StepResult[Loads]:
    """Let an item of the sheet turn up, as far as the load has room for it."""
    row = next((row for row in SHEET.rows(sheet.values, "items") if row["id"] == item), None)
    if row is None or row["carried"]:
        message = _("That’s carried already.") if row else _("Choose something from the sheet.")
        raise NotPossible("item", item, allowed="an item that is not carried yet", message=message)
    now = carrier.carried + row["load"]
    if now > carrier.most:
        message = _("“{item}” is {load} load, but {name} has room for {room}.").format(
            item=row["name"], load=row["load"], name=carrier.name, room=carrier.most - carrier.carried
        )
        raise NotPossible("item", item, allowed=f"load up to {carrier.most - carrier.carried}", message=message)
    steps = (Put(f"items/{item}/carried", to=True),)
    return StepResult(_with(state, replace(carrier, carried=now)), [_write(carrier, steps, CARRIED)])


def _write(carrier: Carrier, steps: tuple[Step, ...], why: Reason) -> Write:
    return Write(character=carrier.character, steps=steps, why=why)


def _with(state: Loads, changed: Carrier) -> Loads:
    return Loads(those=tuple(changed if carrier.key == changed.key else carrier for carrier in state.those))


def carried_of(values: Values) -> int:
    """Return how much of a sheet is carried."""
    return sum(row["load"] for row in SHEET.rows(values, "items") if row["carried"])


def _as_it_is(carrier: Carrier, seen: Snapshot) -> Carrier:
    sheet = seen.sheets.get(carrier.character)
    if sheet is None:
        return replace(carrier, there=False)
    if not carrier.load:
        return replace(carrier, there=True, name=sheet.name, carried=0, fits=False)
    carried = carried_of(sheet.values)
    fits = any(carried + row["load"] <= carrier.most for row in left_of(sheet.values))
    return replace(carrier, there=True, name=sheet.name, carried=carried, fits=fits)


def left_of(values: Values) -> list[dict[str, Any]]:
    """Return the items of a sheet that are not carried."""
    return [row for row in SHEET.rows(values, "items") if not row["carried"]]


def _unchosen(state: Loads) -> list[tuple[str, Load]]:
    return [(carrier.key, load) for carrier in unchosen(state) for load in Load]


class LoadsRules(ProcedureRules[Loads]):
    """Each chooses for their own, and says what turns up."""

    state = Loads

    def start(self, given: Values) -> Loads:
        """Begin with `those` who go, as (name, character). Everyone starts over: whatever was carried is put down when they
        choose."""
        carriers = tuple(Carrier(key=str(number), **carrier) for number, carrier in enumerate(given["those"], 1))
        if not carriers:
            message = _("No character in this campaign has a Forged in the Dark sheet.")
            raise NotPossible("characters", 0, allowed="1 or more", message=message)
        return Loads(those=carriers)

    @act(by=player_of(lambda state, key, load: state.found(key).character), each=_unchosen, tried=False)
    def choose(self, state: Loads, step: Act, key: str, load: Load) -> StepResult[Loads]:
        carrier = state.found(key)
        return _chosen(state, carrier, _sheet(step, carrier), load)

    @act(
        by=player_of(lambda state, key: state.found(key).character),
        each=lambda state: [carrier.key for carrier in state.those if carrier.there and carrier.load and carrier.fits],
        asks=True,
    )
    def carry(self, state: Loads, step: Act, key: str) -> StepResult[Loads]:
        carrier = state.found(key)
        return _carried(state, carrier, _sheet(step, carrier), step.values["item"])

    @act(when=lambda state: bool(unchosen(state)), tried=False)
    def rest(self, state: Loads, step: Act) -> StepResult[Loads]:
        """Let all who have not chosen carry a normal load, so that no one holds the others up."""
        after = StepResult(state)
        for carrier in unchosen(state):
            if step.seen and carrier.character in step.seen.sheets:
                chosen = _chosen(after.state, carrier, step.seen.sheets[carrier.character], Load.NORMAL)
                after = StepResult(chosen.state, (*after.effects, *chosen.effects))
        return after

    def reads(self, state: Loads, seen: Snapshot) -> Loads:
        """Return the state with what the participants carry now."""
        return Loads(those=tuple(_as_it_is(carrier, seen) for carrier in state.those))

    def waiting(self, state: Loads) -> Sequence[tuple[str, str]]:
        return [(carrier.key, _("to choose a load")) for carrier in state.those if carrier.there and not carrier.load]

    def parties(self, state: Loads) -> Parties:
        return {carrier.key: (carrier.name, carrier.character) for carrier in state.those}
