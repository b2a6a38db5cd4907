"""A complication that makes a clock of its own (forged.txt, Complication)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from campaigns.models import Clock
from rolls.services.procedures import take_back_step
from rulesets.forged.procedures import PROCEDURES
from tests.rolls.steps import newest_step
from tests.rulesets.forged.procedures.staged import INFLICTED, clock, drawn, inflicts, over, press, rolled, state

ALARM = {"words": "", "new_clock": "The whole street is awake", "segments": 6}


def running():
    return [(one.name, one.segments, one.filled, one.owner) for one in Clock.objects.running()]


def test_it_comes_when_the_complication_is_settled_and_with_its_ticks(play, cross):
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "complication", **ALARM)
    words = "complication: 2 ticks on The whole street is awake, a new clock of 6"
    assert (drawn(procedure)["staged"].rows[0].words, running()) == (words, [])
    press(play.mo, procedure, "take_it", "c1")
    assert running() == [("The whole street is awake", 6, 2, "gm")]


def test_what_was_filled_before_counts_beside_its_ticks(play, cross):
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "complication", **ALARM, filled=3)
    assert "a new clock of 6 with 3 filled" in drawn(procedure)["staged"].rows[0].words
    press(play.mo, procedure, "take_it", "c1")
    assert running()[0][2] == 5


def test_nothing_comes_of_one_that_was_avoided_and_less_of_one_that_was_resisted(play, cross):
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "complication", **ALARM, resisting="avoids")
    inflicts(play.gm, procedure, "complication", **ALARM | {"new_clock": "Smoke"})
    press(play.mo, procedure, "resist", "c1", faces=(6, 1, 1))
    press(play.mo, procedure, "resist", "c2", faces=(6, 1, 1))
    press(play.mo, procedure, "take_it", "c2")
    assert running() == [("Smoke", 6, 1, "gm")]


@pytest.mark.parametrize("segments", [-1, 1, 13])
def test_a_clock_has_from_2_to_12_segments(play, cross, segments):
    typed = {name: value for name, value in INFLICTED.items() if value} | ALARM | {"segments": segments}
    assert PROCEDURES["action"].forms["inflict"](typed).errors == {
        "segments": ["Segments: enter a whole number from 2 to 12."]
    }
    procedure = rolled(play, cross, 4)
    before = state(procedure)
    with pytest.raises(Invalid) as refused:
        inflicts(play.gm, procedure, "complication", **ALARM | {"segments": segments})
    assert (refused.value.field, state(procedure), running()) == ("segments", before, [])


def test_a_clock_that_would_be_full_from_the_start_is_refused(play, cross):
    procedure = rolled(play, cross, 4)
    with pytest.raises(Invalid) as refused:
        inflicts(play.gm, procedure, "complication", **ALARM, filled=6)
    assert refused.value.field == "filled" and not state(procedure)["consequences"]


def test_it_ticks_one_clock_the_new_one_or_one_that_is_there(play, cross):
    alarm = clock(play)
    procedure = rolled(play, cross, 4)
    with pytest.raises(Invalid) as refused:
        inflicts(play.gm, procedure, "complication", **ALARM, clock=alarm.pk)
    assert refused.value.field == "new_clock" and not state(procedure)["consequences"]


def test_only_a_complication_that_is_no_heat_makes_one(play, cross):
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "harm_2", **ALARM | {"words": "Cut"})
    press(play.mo, procedure, "take_it", "c1")
    assert not Clock.objects.exists()


def test_taken_back_it_is_gone_and_taken_again_it_is_there_as_it_was(play, cross):
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "complication", **ALARM, filled=1)
    press(play.mo, procedure, "take_it", "c1")
    take_back_step(play.gm, procedure.pk, step=newest_step(procedure), key=uuid4())
    assert running() == []
    press(play.mo, procedure, "take_it", "c1")
    assert running()[0][1:3] == (6, 3)
    press(play.gm, procedure, "finish")
    assert over(procedure)
