"""An event in turns, as it happens in the played campaign; it goes on, in its second turn."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

from campaigns.models import Membership
from characters.models import Character
from characters.services import cards, fields
from rolls.models import Procedure
from rolls.services.procedures import act, open_procedure, take_back_step
from rules.acts import ActKey
from tests.rolls.steps import newest_step

DOG = {"som": 5, "empathy": 5, "perception": 1, "es": 5, "control": 5, "size": "small", "burden": "none"}


def event_in_turns_happens(gm: Membership, mo: Membership, dice: Callable[..., None]) -> None:
    """Play an event: a thief with a US, equal to a dog; typed declarations and outcomes; checks; a turn that ends."""
    thief = cards.make_character(mo, cards.Card("Wren", "Lookout", mo), system="arc", key=uuid4())
    for by, field, value in ((mo, "control", 9), (gm, "us_control", 7)):
        thief = fields.set_field(by, thief, field, value, expected=thief.value(field), key=uuid4())
    dice(2, 8)
    line = {"name": "Dog", "many": 1, "how": "aware", "ally": False, **DOG}
    given = {"takes_part": [f"aware:{thief.pk}"], "allies": [], "lines": [line], "apart": False}
    event = open_procedure(gm, "arc", "tracker", given, reason="on the rope", key=uuid4())
    _first_turn(gm, mo, thief, event)


def _first_turn(gm: Membership, mo: Membership, thief: Character, event: Procedure) -> None:
    def do(by: Membership, name: str, whom: str = "", /, **given: object) -> None:
        act(by, event.pk, ActKey(name, whom), given=given, key=uuid4())

    does = {"actions": 1, "skills": [], "against": [], "moves": 2}
    do(gm, "declare", "2", words="snaps at the rope", **does)
    do(gm, "done", "2")
    do(gm, "outcome", words="the rope gives", whom="1", som=-1, becomes="")
    do(gm, "change", "2", to="surprised", before="")
    do(gm, "react", whom=["1"], occasion="cornered")
    do(gm, "waive", "1")
    do(mo, "declare", "1", words="holds the lamp up", **does)
    do(mo, "done", "1")
    do(gm, "turn")
    take_back_step(gm, event.pk, step=newest_step(event), key=uuid4())
    do(gm, "turn")
    current = Character.objects.get(pk=thief.pk)
    fields.set_field(mo, current, "som", 5, expected=current.value("som"), key=uuid4())
