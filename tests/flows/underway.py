"""What several people settle together, as it happens in the played campaign; one of it is under way in the end."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from campaigns.models import Membership
from characters.models import Character
from rolls.models import Audience, Procedure, Roll
from rolls.services.procedures import act, close_procedure, open_procedure, take_back_step
from rolls.services.rolls import make_roll, void_roll
from rules.acts import ActKey
from rulesets.storyteller.terms import StorytellerInput
from tests.flows.procedures_arc_tracker import event_in_turns_happens
from tests.flows.procedures_forged_action import actions_happen
from tests.flows.procedures_forged_downtime import downtime_happens
from tests.flows.procedures_scene import scenes_happen
from tests.rolls.steps import newest_step
from tests.rulesets.storyteller.samples import BLOW

TERMS = {"pool": "perception + alertness", "difficulty": 6, "goal": 9, "most": None, "on_botch": "loses", "name": ""}


def procedures_happen(gm: Membership, mo: Membership, character: Character, dice: Callable[..., None]) -> Procedure:
    """Play an extended action that a player announces and a GM sets, which goes on; one that a GM closes; and a conflict."""
    terms = TERMS | {"character": character.pk}
    begun = open_procedure(mo, "storyteller", "extended", terms, reason="an old lock", key=uuid4())
    act(gm, begun.pk, ActKey("set"), given=TERMS, key=uuid4())
    take_back_step(gm, begun.pk, step=newest_step(begun), key=uuid4())
    act(gm, begun.pk, ActKey("set"), given=TERMS, key=uuid4())
    dice(7, 5, 5, 5, 5)
    asked = StorytellerInput(traits=("perception", "alertness"), request=begun.requests.get(closed_at=None).pk)
    make_roll(mo, asked, audience=Audience.TABLE, key=uuid4())
    bare = TERMS | {"character": None, "name": "The tide", "pool": "4"}
    dropped = open_procedure(gm, "storyteller", "extended", bare, reason="before dawn", key=uuid4())
    close_procedure(gm, dropped.pk, key=uuid4())
    _conflict(gm, mo, character, dice)
    _attacks(gm, mo, character, dice)
    scenes_happen(gm, mo)
    event_in_turns_happens(gm, mo, dice)
    downtime_happens(gm, mo, dice)
    actions_happen(gm, mo, dice)
    return begun


def _attacks(gm: Membership, mo: Membership, character: Character, dice: Callable[..., None]) -> None:
    """Play attacks: a thug hits the character, who dodges and soaks; the damage is undone with the soak, and made
    again. A player's own attack misses, another is called off.
    """
    none = BLOW | {"a_name": "", "dice": 2}
    thug = none | {"a_name": "Thug", "target": character.pk}
    hit = open_procedure(gm, "storyteller", "attack", thug, reason="in the alley", key=uuid4())
    act(gm, hit.pk, ActKey("set"), given=none | {"dice": 3, "difficulty": 7}, key=uuid4())
    dice(8, 8, 7, 5)
    dodge = {"how": "dodge", "pool": "1", "difficulty": None, "willpower": False}
    act(mo, hit.pk, ActKey("defend", "target"), given=dodge, key=uuid4())
    dice(7, 7, 5, 5, 5)
    act(gm, hit.pk, ActKey("damage", "attacker"), key=uuid4())
    dice(7)
    act(mo, hit.pk, ActKey("soak", "target"), key=uuid4())
    soak = Roll.objects.get(request__procedure=hit, request__part="soak")
    void_roll(gm, soak.pk, key=uuid4())
    dice(7)
    act(mo, hit.pk, ActKey("soak", "target"), key=uuid4())
    own = none | {"a_character": character.pk, "a_pool": "perception", "target_name": "Shadow"}
    missed = open_procedure(mo, "storyteller", "attack", own, key=uuid4())
    dice(5, 5, 5)
    act(gm, missed.pk, ActKey("take_hit", "target"), key=uuid4())
    off = open_procedure(mo, "storyteller", "attack", own, key=uuid4())
    act(mo, off.pk, ActKey("withdraw", "attacker"), key=uuid4())


def _conflict(gm: Membership, mo: Membership, character: Character, dice: Callable[..., None]) -> None:
    """Play a conflict to its second round, where it goes on."""
    dice(9, 2, 5)
    those = {"characters": [str(character.pk)], "names": "Dog 3", "anew": False}
    fight = open_procedure(gm, "storyteller", "conflict", those, reason="at the gate", key=uuid4())
    act(mo, fight.pk, ActKey("hold", str(character.pk)), key=uuid4())
    act(gm, fight.pk, ActKey("done", "2"), key=uuid4())
    act(gm, fight.pk, ActKey("come_in", str(character.pk)), key=uuid4())
    act(mo, fight.pk, ActKey("done", str(character.pk)), key=uuid4())
    act(gm, fight.pk, ActKey("next_round"), key=uuid4())
    act(gm, fight.pk, ActKey("join"), given={"characters": [], "names": "Rat 1"}, key=uuid4())
