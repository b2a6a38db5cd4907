"""An event in turns in one line: who takes part, with which dice, and what they do."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, cycle
from typing import Any

from rules.acts import Actor
from rules.procedures import Answer, RollPart
from rulesets.arc.rules import tracker as checks
from rulesets.arc.rules import tracker_acts as acts
from rulesets.arc.rules.tracker import Event
from rulesets.arc.settings import DEFAULTS, Burden, Settings
from tests.rolls.acts import take

TRACKER = acts.TrackerRules()

GM = Actor(is_gm=True)
DECLARED = {"words": "strikes", "actions": 1, "characters": (), "most": 3, "against": (), "moves": 0}


def someone(name: str, som: int = 5, empathy: int = 4, perception: int = 4, **more: Any) -> dict[str, Any]:
    """Nameless unless a `character` is given; two actions, 8 m."""
    figures = {"name": name, "som": som, "empathy": empathy, "perception": perception, "most": 2, "reach": 800}
    return figures | {"burden": Burden.NONE} | more


def rolled(state: Event, *faces: int) -> Event:
    """Return the state after the dice that it waits for; without given faces they fall as 1 to 10 in turn."""
    source = chain(faces, cycle(range(1, 11)))
    while TRACKER.dice_needed(state):
        state = TRACKER.apply_dice(state, source)
    return state


def begun(
    *those: dict[str, Any],
    faces: Iterable[int] = (),
    apart: bool = False,
    ambush: str = "",
    settings: Settings = DEFAULTS,
) -> Event:
    return rolled(TRACKER.start({"those": those, "apart": apart, "ambush": ambush, "settings": settings}).state, *faces)


def key_of(state: Event, name: str) -> str:
    return next(one.key for one in state.participants if one.name == name)


def do(
    state: Event, name: str, whom: str = "", /, *, by: Actor = GM, faces: Iterable[int] = (), **values: Any
) -> Event:
    """Take a step for the participant with this name; `against` are names too."""
    key = key_of(state, whom) if whom and whom not in checks.OCCASIONS else whom
    if name in (acts.DECLARE, acts.GO_ON):
        values = DECLARED | values | {"against": tuple(key_of(state, one) for one in values.get("against", ()))}
    override = values.pop("override", False)
    return rolled(take(TRACKER, state, by, name, key, values=values, override=override).state, *faces)


def change(state: Event, whom: str, to: str, before: str = "", **more: Any) -> Event:
    return do(state, acts.CHANGE, whom, to=to, before=key_of(state, before) if before else "", **more)


def reacted(state: Event, *faces: int) -> Event:
    """Return the state after these faces for the Reaction checks that are owed, in order."""
    answers = []
    for check, face in zip([one for one in state.checks if one.held is None], faces, strict=True):
        held = face <= (state.found(check.key).som or 0)
        answer = Answer(part=RollPart(check.part), outcome={"result": "success" if held else "failure"})
        if check.made:
            state = TRACKER.on_roll(state, answer)
        else:
            answers.append(answer)
    stand = [
        Answer(part=RollPart(one.part), outcome={"result": "success" if one.held else "failure"})
        for one in state.checks
        if not one.made and one.held is not None
    ]
    return rolled(TRACKER.on_answers(state, [*stand, *answers]))


def names(state: Event) -> list[str]:
    """Return the names of those who declare in this turn, first to last."""
    return [one.name for one in state.participants if state.takes_part(one)]


def now(state: Event) -> str | None:
    return state.current.name if state.current else None


def whole_turn(state: Event) -> tuple[list[str], Event]:
    """Let everyone declare and act, one after the other. Return who acted, in order, and the state."""
    acted = []
    for check in [one for one in state.checks if one.held is None]:
        state = rolled(checks.waived(state, check.key))
    while one := state.current:
        if one.status.value == "declared":
            state = do(state, acts.DONE, one.name)
        else:
            acted.append(one.name)
            state = do(state, acts.DECLARE, one.name, override=True)
    return acted, state
