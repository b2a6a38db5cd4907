"""What the state of a character forbids at the table, and a GM may allow."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked
from campaigns.live.render import render_line
from campaigns.models import Role
from rolls.models import Audience, Roll
from rolls.services.rolls import make_roll
from rulesets.arc.terms import ArcInput
from tests import dice
from tests.answers import refusal
from tests.rulesets.arc.procedures.test_check import announce, press, roll
from tests.sheets import put


def test_who_cannot_move_cannot_act_unless_a_gm_allows_it(checks):
    stone = {"id": "r1", "name": "Millstone", "weight": "900", "count": 1, "worn": False}
    procedure = announce(checks)
    press(checks.gm, procedure, "level", "average")
    put(checks.silas, {"carried": [stone]})
    assert "can’t act" in refusal(Blocked, roll, checks, procedure, 5).message
    assert not Roll.objects.exists()
    assert checks.roll(5, kind="reaction").outcome["result"] == "success"


def test_a_gm_allows_what_a_burden_forbids_and_the_roll_says_so(checks):
    stone = {"id": "r1", "name": "Millstone", "weight": "900", "count": 1, "worn": False}
    put(checks.vesper, {"carried": [stone]})
    with pytest.raises(Blocked):
        checks.roll(5, by=checks.gm)
    dice.load(5)
    ask = ArcInput(character=checks.vesper.pk, stat="intellect", skill="watch", override=True)
    made = make_roll(checks.gm, ask, audience=Audience.TABLE, key=uuid4())
    assert made.event.payload["overridden"] == ["arc_immobile"]
    assert "an action under too much weight" in render_line(made.event, Role.PLAYER)


def test_who_is_unconscious_takes_no_part(checks):
    put(checks.silas, {"unconscious": True})
    assert "unconscious" in refusal(Blocked, checks.roll, 5, kind="reaction").message
