"""Fatal harm: inflicted, resisted to severe, or taken, and then a character is dead or out of play."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid
from characters.models import State
from rolls.services.procedures import take_back_step
from tests.rolls.steps import newest_step
from tests.rulesets.forged.procedures.staged import drawn, harms, inflicts, press, rolled, said


@pytest.mark.parametrize("fate", ["dead", "out"])
def test_fatal_harm_takes_a_character_out_of_play_as_its_player_chooses(play, cross, fate):
    procedure = rolled(play, cross, 2, position="desperate")
    inflicts(play.gm, procedure, "harm_4", words="Drowned")
    inflicts(play.gm, procedure, "lost_opportunity")
    press(play.gm, procedure, "finish")
    assert drawn(procedure)["staged"].rows[0].words == "fatal harm: Drowned"
    for member, name, given, error in (
        (play.mo, "take_it", {}, Conflict),
        (play.mo, "take_fatal", {"fate": ""}, Invalid),
        (play.other, "take_fatal", {"fate": fate}, Forbidden),
    ):
        with pytest.raises(error):
            press(member, procedure, name, "c1", **given)
    press(play.mo, procedure, "take_fatal", "c1", fate=fate)
    cross.refresh_from_db()
    assert cross.state == {"dead": State.DEAD, "out": State.RETIRED}[fate]
    words = {"dead": "Cross is dead", "out": "Cross survives, out of play"}[fate]
    assert drawn(procedure)["staged"].rows[0].detail == f"Cross · {words}"
    assert said() == f"Cross took a consequence. Fatal harm: Drowned, {words}."
    take_back_step(play.gm, procedure.pk, step=newest_step(procedure), key=uuid4())
    cross.refresh_from_db()
    assert cross.state == State.IN_PLAY


def test_fatal_harm_is_resisted_to_severe(play, cross):
    procedure = rolled(play, cross, 2, position="desperate")
    inflicts(play.gm, procedure, "harm_4", words="Drowned")
    press(play.mo, procedure, "resist", "c1", faces=(4, 2, 1))
    press(play.mo, procedure, "take_it", "c1")
    cross.refresh_from_db()
    assert (harms(cross, 3), cross.state) == (["Drowned"], State.IN_PLAY)


def test_full_rows_pass_harm_on_and_a_fatal_one_asks_once_more(play, cross):
    for words, level in (("Cut", 2), ("Shot", 2), ("Burnt", 3)):
        procedure = rolled(play, cross, 5, spared_2=True, spared_3=True)
        inflicts(play.gm, procedure, "harm_2", words=words)
        press(play.gm, procedure, "finish")
        press(play.mo, procedure, "take_it", "c1")
        assert words in harms(cross, level)
    procedure = rolled(play, cross, 5, spared_2=True, spared_3=True)
    inflicts(play.gm, procedure, "harm_2", words="Drowned")
    assert "no row is free: fatal" in [mark.words for mark in drawn(procedure)["staged"].rows[0].marks]
    with pytest.raises(Conflict):
        press(play.mo, procedure, "take_it", "c1")
    press(play.mo, procedure, "take_fatal", "c1", fate="dead")
    assert drawn(procedure)["staged"].rows[0].detail.endswith("Cross is dead")


def test_what_else_hits_the_dead_is_taken_and_hurts_nobody(play, cross):
    procedure = rolled(play, cross, 2, position="desperate")
    for code in ("harm_4", "harm_3", "harm_3"):
        inflicts(play.gm, procedure, code, words="Drowned")
    press(play.mo, procedure, "take_fatal", "c1", fate="dead")
    assert {one["name"] for one in drawn(procedure)["waits"]} == {"the GM"}
    for key in ("c2", "c3"):
        press(play.gm, procedure, "take_it", key)
    assert [row.detail for row in drawn(procedure)["staged"].rows[1:]] == ["Cross · taken"] * 2
    assert harms(cross, 3) == []
