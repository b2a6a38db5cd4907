"""What several people settle together, as it happens in the played campaign; one of it is under way in the end."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from campaigns.models import Membership
from characters.models import Character
from rolls.models import Audience, Procedure
from rolls.services.procedures import act, close_procedure, open_procedure, take_back_step
from rolls.services.rolls import make_roll
from rulesets.storyteller.table import RollInput
from tests.flows.procedures_arc_tracker import event_in_turns_happens
from tests.flows.procedures_forged_action import actions_happen
from tests.flows.procedures_forged_downtime import downtime_happens
from tests.flows.procedures_scene import scenes_happen

TERMS = {"pool": "perception + alertness", "difficulty": 6, "goal": 9, "most": None, "on_botch": "loses", "name": ""}


def procedures_happen(gm: Membership, mo: Membership, character: Character, dice: Callable[..., None]) -> Procedure:
    """An extended action that a player announces and a GM sets, one that a GM closes; the first goes on. A conflict."""
    terms = TERMS | {"character": character.pk}
    begun = open_procedure(mo, "storyteller", "extended", terms, reason="an old lock", key=uuid4())
    act(gm, begun.pk, "set", given=TERMS, expected=1, key=uuid4())
    take_back_step(gm, begun.pk, expected=2, key=uuid4())
    act(gm, begun.pk, "set", given=TERMS, expected=3, key=uuid4())
    dice(7, 5, 5, 5, 5)
    asked = RollInput(traits=("perception", "alertness"), request=begun.requests.get(closed_at=None).pk)
    make_roll(mo, asked, audience=Audience.TABLE, key=uuid4())
    bare = TERMS | {"character": None, "name": "The tide", "pool": "4"}
    dropped = open_procedure(gm, "storyteller", "extended", bare, reason="before dawn", key=uuid4())
    close_procedure(gm, dropped.pk, key=uuid4())
    _conflict(gm, mo, character, dice)
    scenes_happen(gm, mo)
    event_in_turns_happens(gm, mo, dice)
    downtime_happens(gm, mo, dice)
    actions_happen(gm, mo, dice)
    return begun


def _conflict(gm: Membership, mo: Membership, character: Character, dice: Callable[..., None]) -> None:
    """It goes on as well, in its second round."""
    dice(9, 2, 5)
    those = {"characters": [str(character.pk)], "names": [("Dog", 3)], "anew": False}
    fight = open_procedure(gm, "storyteller", "conflict", those, reason="at the gate", key=uuid4())
    act(mo, fight.pk, "hold", whom="1", expected=1, key=uuid4())
    act(gm, fight.pk, "done", whom="2", expected=2, key=uuid4())
    act(gm, fight.pk, "come_in", whom="1", expected=3, key=uuid4())
    act(mo, fight.pk, "done", whom="1", expected=4, key=uuid4())
    act(gm, fight.pk, "round", expected=5, key=uuid4())
    act(gm, fight.pk, "join", given={"characters": [], "names": [("Rat", 1)]}, expected=6, key=uuid4())
