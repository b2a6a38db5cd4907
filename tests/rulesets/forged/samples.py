"""What the conformance tests try Forged in the Dark with."""

from __future__ import annotations

from uuid import uuid4

from characters.models import Character
from characters.services.cards import Card, make_character
from characters.services.fields import set_field
from rolls.models import Procedure, Roll
from rolls.services.procedures import act, open_procedure
from rolls.services.rolls import void_roll
from rules.acts import ActKey
from tests.dice import load, unload
from tests.flows.procedures_forged_action import SET
from tests.flows.procedures_forged_downtime import FORTUNE, SCORE

SHEET = {"skirmish": 2, "prowl": 1}
ROLLS = {
    "action": {"kind": "action", "action": "skirmish", "push": "die"},
    "no dice at all": {"kind": "action", "action": "0"},
    "resistance": {"kind": "resistance", "attribute": "prowess"},
    "fortune": {"kind": "fortune", "trait": "1", "advantages": "1"},
}
ASKED = {
    "action": ({"kind": "action", "action": "prowl", "position": "desperate", "effect": "great"}, {"push": "effect"})
}
CORRECTED = {"action": ({"position": "desperate"}, {"prowess_xp": 2})}


def action(at, other, **more):
    """Set an action of the first character."""
    given = {"character": at.character.pk, "action": "prowl", "group": False, "setup": False} | more
    begun = open_procedure(at.cast.player.member, "forged", "action", given, key=uuid4())
    act(at.cast.gm.member, begun.pk, ActKey("set"), given=SET, key=uuid4())
    return begun


def setup(at, other):
    """Make a set-up for whoever follows."""
    look = action(at, other, setup=True)
    unload()
    load(6, *[4] * 500)
    for name, given in (("roll", {}), ("set_up", {"gives": "effect"})):
        whom = str(at.character.pk) if name == "roll" else ""
        act(at.cast.player.member, look.pk, ActKey(name, whom), given=given, key=uuid4())


def trauma(at, other):
    """Fill a stress track."""
    there = Character.objects.get(pk=at.character.pk)
    set_field(at.cast.player.member, there, "stress", 9, expected=there.number("stress"), key=uuid4())


def fortune(at, other):
    """Void a fortune roll, which is to be rolled again."""
    begun = open_procedure(at.cast.gm.member, "forged", "fortune", FORTUNE, key=uuid4())
    void_roll(at.cast.gm.member, Roll.objects.filter(request__procedure=begun).latest("at").pk, key=uuid4())


def engagement(at, other):
    """Open a score."""
    plan = open_procedure(at.cast.gm.member, "forged", "engage", {}, key=uuid4())
    act(at.cast.gm.member, plan.pk, ActKey("turn", "bold"), key=uuid4())
    act(at.cast.gm.member, plan.pk, ActKey("roll"), key=uuid4())
    assert Procedure.objects.filter(kind="engagement", closed_at=None).exists()


def downtime(at, other):
    """Settle a score of a crew, which is to be recorded."""
    make_character(at.cast.gm.member, Card("The Gutters"), system="forged", is_crew=True, key=uuid4())
    open_procedure(at.cast.gm.member, "forged", "downtime", SCORE, key=uuid4())


BEGUN = {one.__name__: one for one in (action, setup, trauma, fortune, engagement, downtime)}
