"""What becomes of a character of the Descriptors rules: boxes crossed off, Injuries, out of the scene, refreshed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from characters.sheets.sheet import Values
from characters.states import State, States
from rulesets.descriptors.sheet import SHEET, power_box, track


def _refreshed(before: Values, after: Values) -> State | None:
    """A Refreshment Scene clears the track and fills Will (descriptors.txt); one value alone is no more than a correction."""
    was, now = track(before), track(after)
    start, will = SHEET.number(after, "start_will"), SHEET.number(after, "will")
    filled, returned = SHEET.number(before, "will") < start <= will, _is_out(before) and not _is_out(after)
    if filled + returned + len(was.crossed) < 2 or will < start or now.crossed or _is_out(after):
        return None
    return State("refreshed", (will,), ("will", "out_of_scene", *map(power_box, was.crossed)))


def _crossed(before: Values, after: Values) -> Iterator[State]:
    boxes = sorted(track(after).crossed - track(before).crossed)
    # A box that was crossed all along and is one of the track again was not crossed off now.
    boxes = [box for box in boxes if not SHEET.value(before, power_box(box))]
    if boxes:
        yield State("crossed", tuple(boxes), tuple(map(power_box, boxes)))


def _injured(before: Values, after: Values) -> Iterator[State]:
    known_ids = {row["id"] for row in SHEET.rows(before, "injuries")}
    for row in SHEET.rows(after, "injuries"):
        if row["id"] not in known_ids:
            yield State("injured", (row["name"], row["dice"]), ("injuries",))


def _out(before: Values, after: Values) -> Iterator[State]:
    if _is_out(after) and not _is_out(before):
        spent = SHEET.number(after, "will") == 0
        yield State("out_of_scene", (spent,), ("out_of_scene",))
    elif _is_out(before) and not _is_out(after):
        yield State("back", (), ("out_of_scene",))


def _is_out(values: Values) -> bool:
    return bool(SHEET.value(values, "out_of_scene"))


class DescriptorsStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        if refreshed := _refreshed(before, after):
            return [refreshed]
        return [*_crossed(before, after), *_injured(before, after), *_out(before, after)]

    def words(self, state: State) -> str:
        if state.code == "refreshed":
            return f"is refreshed: Will {state.values[0]}, the Power track free"
        if state.code == "crossed":
            boxes = ", ".join(map(str, state.values))
            return f"crosses off Power box{'es' if len(state.values) > 1 else ''} {boxes}"
        if state.code == "injured":
            name, dice = state.values
            return f"takes an Injury: {name}, {dice}D"
        if state.code == "back":
            return "is back in the scene"
        return "is out of the scene, without Will" if state.values[0] else "is out of the scene"
