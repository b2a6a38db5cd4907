"""Fatal harm: inflicted, resisted to severe, or taken, and then a character is dead or out of play."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid
from characters.models import State
from rolls.services.procedures import take_back_step
from tests.rolls.steps import newest_step
from tests.rulesets.forged.procedures.staged import drawn, inflicts, press, rolled, said


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
