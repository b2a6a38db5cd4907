"""What becomes of a scoundrel of the Forged in the Dark rules: harm, trauma, load; of a crew: wanted. That stress is full is told
with the trauma that it brings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from characters.sheets.sheet import Values
from characters.states import State, States
from rulesets.forged import crew
from rulesets.forged.sheet import (
    ARMOR,
    HARM_SLOTS,
    LAST_TRAUMA,
    SHEET,
    harm,
    harm_rows,
    trauma_of,
    traumas,
)


def _harm(before: Values, after: Values) -> Iterator[State]:
    """Harm that is new, or that is of another level now; what only went has its own line."""
    was, rows = harm(before), (*map(harm_rows, HARM_SLOTS), "healing")
    old = {name: level for level, names in was.items() for name in names}
    for level, names in sorted(harm(after).items(), reverse=True):
        for name in _more(names, was[level]):
            yield State("eased" if old.get(name, 0) > level else "harm", (level, name), rows)


def _more(names: Sequence[str], than: Sequence[str]) -> list[str]:
    """Return what is there more often than it was."""
    left, more = [*than], []
    for name in names:
        if name in left:
            left.remove(name)
        else:
            more.append(name)
    return more


def _trauma(before: Values, after: Values) -> Iterator[State]:
    conditions = [trauma for trauma in traumas(after) if trauma not in traumas(before)]
    if conditions:
        full = len(traumas(after)) >= LAST_TRAUMA
        yield State("trauma", (full, *conditions), ("stress", *map(trauma_of, conditions)))


def _load(before: Values, after: Values) -> Iterator[State]:
    """With the load that is chosen armor is whole again, and what was carried is put down."""
    load = str(SHEET.value(after, "load"))
    if load != SHEET.value(before, "load"):
        yield State("load", (load,), ("load", "items", *ARMOR))


class ForgedStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        return [*_harm(before, after), *_trauma(before, after), *_load(before, after)]

    def words(self, state: State) -> str:
        if state.code == "load":
            load = str(state.values[0])
            return f"chooses a load: {load}" if load else "puts down what they carried"
        if state.code == "trauma":
            last, *conditions = state.values
            return f"suffers trauma: {', '.join(map(str, conditions))}{', the last that can be borne' if last else ''}"
        if state.code == "full_stress":  # told until the trauma began by itself
            return "has marked the last box of stress: a trauma is due"
        level, name = state.values
        return (
            f"takes harm, level {level}: {name}" if state.code == "harm" else f"recovers: {name} is level {level} now"
        )


class CrewStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        level = crew.heat(after)[1]
        return [State("wanted", (level,), ("wanted", "heat"))] if level > crew.heat(before)[1] else []

    def words(self, state: State) -> str:
        return f"are wanted now, level {state.values[0]}"
