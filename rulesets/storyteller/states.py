"""What becomes of a Storyteller character: incapacitated, without Willpower, without blood."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from characters.sheets.sheet import Values
from characters.states import State, States
from rulesets.storyteller.sheet import DAMAGE, SHEET, is_incapacitated

SPENT = {"willpower_now": "has no Willpower left", "blood": "has no blood left"}


def _health(before: Values, after: Values) -> Iterator[State]:
    was, now = is_incapacitated(before), is_incapacitated(after)
    if was is not now:
        yield State("incapacitated" if now else "on_their_feet", (), DAMAGE)


def _spent(before: Values, after: Values) -> Iterator[State]:
    for name in SPENT:
        if SHEET.number(before, name) and not SHEET.number(after, name):
            yield State("spent", (name,), (name,))


class StorytellerStates(States):
    def derive(self, before: Values, after: Values) -> Sequence[State]:
        return [*_health(before, after), *_spent(before, after)]

    def words(self, state: State) -> str:
        if state.code == "spent":
            return SPENT.get(str(state.values[0]), "has nothing left")
        return "is incapacitated" if state.code == "incapacitated" else "is incapacitated no longer"
