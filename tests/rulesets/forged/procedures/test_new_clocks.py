"""A complication that makes a clock of its own (forged.txt, Complication)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from campaigns.models import Clock
from rolls.services.procedures import take_back_step
from rulesets.forged.procedures import PROCEDURES
from tests.answers import refusal
from tests.rolls.steps import newest_step
from tests.rulesets.forged.procedures.staged import INFLICTED, drawn, inflicts, over, press, rolled, state

ALARM = {"words": "", "new_clock": "The whole street is awake", "segments": 6}


def running():
    return [(one.name, one.segments, one.filled, one.owner) for one in Clock.objects.running()]


def test_it_comes_with_its_ticks_when_it_is_settled_and_goes_when_that_is_taken_back(play, cross):
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "complication", **ALARM, filled=1)
    words = "complication: 2 ticks on The whole street is awake, a new clock of 6 with 1 filled"
    assert (drawn(procedure)["staged"].rows[0].words, running()) == (words, [])
    press(play.mo, procedure, "take_it", "c1")
    take_back_step(play.gm, procedure.pk, step=newest_step(procedure), key=uuid4())
    assert running() == []
    press(play.mo, procedure, "take_it", "c1")
    assert running() == [("The whole street is awake", 6, 3, "gm")]
    press(play.gm, procedure, "finish")
    assert over(procedure)


@pytest.mark.parametrize("segments", [-1, 1, 13])
def test_a_clock_has_from_2_to_12_segments(play, cross, segments):
    typed = {name: value for name, value in INFLICTED.items() if value} | ALARM | {"segments": segments}
    assert PROCEDURES["action"].forms["inflict"](typed).errors == {
        "segments": ["Segments: enter a whole number from 2 to 12."]
    }
    procedure = rolled(play, cross, 4)
    before = state(procedure)
    refused = refusal(Invalid, inflicts, play.gm, procedure, "complication", **ALARM | {"segments": segments})
    assert (refused.field, state(procedure), running()) == ("segments", before, [])
