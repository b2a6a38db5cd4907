"""A clock that is archived while a staged action points at it: the card says so at once, and the GM says where its ticks go."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Invalid
from campaigns.services.clocks import archive_clock
from rolls.services.procedures import take_back_step
from tests.rolls.steps import newest_step
from tests.rulesets.forged.procedures.staged import (
    announced,
    clock,
    drawn,
    filled,
    inflicts,
    over,
    press,
    rolled,
    sets,
)

NOWHERE = {"clock": None, "new_clock": "", "segments": 4, "filled": 0}


def archive(play, one):
    archive_clock(play.gm, one, key=uuid4())


def waits(procedure):
    return [(one["name"], one["words"]) for one in drawn(procedure)["waits"]]


def moves(play, procedure, whom="", **given):
    return press(play.gm, procedure, "move_its_ticks" if whom else "move_ticks", whom, **NOWHERE | given)


def test_the_card_says_so_when_it_is_archived_and_not_with_the_next_step(play, cross):
    """Open pages are told by an event."""
    alarm = clock(play)
    procedure = announced(play, cross, clock=alarm.pk)
    archive(play, alarm)
    assert "no longer on the table" in drawn(procedure)["staged"].notes[-1]
    assert play.events()[-1].kind == "rolls.procedure_changed"
    with pytest.raises(Invalid):
        sets(play.gm, procedure, clock=alarm.pk)


def test_what_it_does_waits_for_the_gm_and_ticks_another(play, cross):
    alarm, sirens = clock(play), clock(play, "Sirens")
    procedure = announced(play, cross, clock=alarm.pk)
    archive(play, alarm)
    press(play.mo, procedure, "roll", cross.pk, faces=(6,))
    assert not over(procedure) and waits(procedure) == [("the GM", "to move the ticks of Alarm")]
    moves(play, procedure, clock=sirens.pk)
    assert over(procedure) and (filled(alarm), filled(sirens)) == (0, 2)


def test_the_gm_may_let_the_ticks_be_lost_and_the_log_says_so(play, cross):
    alarm = clock(play)
    procedure = announced(play, cross, clock=alarm.pk)
    archive(play, alarm)
    press(play.mo, procedure, "roll", cross.pk, faces=(4,))
    press(play.gm, procedure, "finish")
    assert not over(procedure)
    moves(play, procedure)
    said = [event.described["said"] for event in play.events() if event.kind.startswith("rolls.procedure")]
    assert over(procedure) and said[-1] == "The ticks were lost: their clock is no longer on the table."


def test_a_complication_whose_clock_was_archived_is_not_taken_before_the_gm_has_said_where_it_goes(play, cross):
    alarm, sirens = clock(play), clock(play, "Sirens")
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "complication", clock=alarm.pk)
    archive(play, alarm)
    assert drawn(procedure)["staged"].rows[0].lines[0].startswith("Alarm is no longer")
    with pytest.raises(Conflict):
        press(play.mo, procedure, "take_it", "c1")
    moves(play, procedure, "c1", clock=sirens.pk)
    press(play.mo, procedure, "take_it", "c1")
    assert (filled(alarm), filled(sirens)) == (0, 2)
    press(play.gm, procedure, "finish")
    assert over(procedure)


def test_where_they_go_can_be_taken_back(play, cross):
    alarm = clock(play)
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "complication", clock=alarm.pk)
    archive(play, alarm)
    moves(play, procedure, "c1")
    take_back_step(play.gm, procedure.pk, step=newest_step(procedure), key=uuid4())
    assert drawn(procedure)["staged"].rows[0].lines[0].startswith("Alarm is no longer")
