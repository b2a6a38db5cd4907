"""What becomes of a character of VI-VIII-X: panicked or exalted, unconscious, and neither any more (arc.txt, V.5, V.6)."""

from __future__ import annotations

from collections.abc import Sequence

from characters.sheets.sheet import Values
from characters.states import State, States
from rulesets.arc.figures import MIND
from rulesets.arc.sheet import SHEET


class ArcStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        was, now = SHEET.number(before, "som"), SHEET.number(after, "som")
        at_an_end = {was, now} & {1, len(MIND)}
        mind = [State("mind", (was, now), ("som",))] if was != now and at_an_end else []
        was_awake, awake = (not SHEET.value(values, "unconscious") for values in (before, after))
        return mind if was_awake is awake else [*mind, State("awake" if awake else "unconscious", (), ("unconscious",))]

    def words(self, state: State) -> str:
        if state.code != "mind":
            return "is awake again" if state.code == "awake" else "is unconscious"
        was, now = map(int, state.values)
        return f"is {MIND[now - 1]} now, no longer {MIND[was - 1]}: state of mind {now}"
