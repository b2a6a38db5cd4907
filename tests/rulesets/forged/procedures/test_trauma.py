"""Full stress brings a trauma at once, and nothing else before it (public rules, Stress and Trauma)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid
from characters.models import State
from rolls.models import Procedure
from rolls.services.rolls import void_roll
from tests.answers import refusal
from tests.rulesets.forged.procedures.staged import (
    announced,
    begin,
    drawn,
    harms,
    inflicts,
    newest_roll,
    over,
    press,
    rolled,
)
from tests.rulesets.forged.table.forged import scoundrel, stress
from tests.sheets import rewrite


def traumas():
    return Procedure.objects.filter(kind="trauma", closed_at=None)


def test_stress_that_fills_the_track_brings_a_trauma_at_once_and_nothing_else_before(play, cross):
    rewrite(cross, sheet=cross.sheet | {"stress": 6})
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "harm_2", words="Cut")
    inflicts(play.gm, procedure, "complication")
    press(play.mo, procedure, "resist", "c1", faces=(1, 2, 1))
    trauma = traumas().get()
    assert stress(cross) == 9 and drawn(procedure)["staged"].rows[0].words == "harm of level 1: Cut"
    for name, whom in (("take_it", "c1"), ("resist", "c2")):
        assert "Choose a trauma first" in refusal(Conflict, press, play.mo, procedure, name, whom).message
    with pytest.raises(Forbidden):
        press(play.other, trauma, "choose", f"{cross.pk}.reckless")
    press(play.mo, trauma, "choose", f"{cross.pk}.reckless")
    cross.refresh_from_db()
    assert (cross.number("stress"), cross.value("trauma_reckless"), over(trauma)) == (0, True, True)
    press(play.mo, procedure, "take_it", "c1")
    assert harms(cross, 1) == ["Cut"]


def test_the_fourth_trauma_retires(play):
    worn = scoundrel(play, "Worn", stress=8, trauma_cold=True, trauma_soft=True, trauma_vicious=True)
    procedure = announced(play, worn)
    press(play.mo, procedure, "push", f"{worn.pk}.die")
    press(play.mo, procedure, "roll", worn.pk, faces=(6, 1))
    press(play.mo, traumas().get(), "choose", f"{worn.pk}.haunted")
    worn.refresh_from_db()
    assert worn.state is State.RETIRED
    with pytest.raises(Invalid):
        begin(play.mo, worn)
    void_roll(play.gm, newest_roll().pk, key=uuid4())
    worn.refresh_from_db()
    assert (worn.state, worn.number("stress"), worn.value("trauma_haunted")) == (State.IN_PLAY, 8, False)


def test_a_push_and_a_help_that_fill_two_tracks_with_one_click_bring_two_traumas(play):
    cross, thorn = scoundrel(play, stress=7), scoundrel(play, "Thorn", play.other, stress=8)
    procedure = announced(play, cross)
    press(play.other, procedure, "assist", f"{thorn.pk}.{cross.pk}")
    press(play.mo, procedure, "push", f"{cross.pk}.die")
    press(play.mo, procedure, "roll", cross.pk, faces=(6, 1, 2))
    trauma = traumas().get()
    press(play.mo, trauma, "choose", f"{cross.pk}.cold")
    assert not over(trauma)
    press(play.other, trauma, "choose", f"{thorn.pk}.cold")
    assert over(trauma) and (stress(cross), stress(thorn)) == (0, 0)
