"""What gives a staged action dice, or takes them: help, pushes, bargains, gambits, harm (forged.txt, Add Bonus Dice)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden
from rolls.services.rolls import void_roll
from tests.rulesets.forged.procedures.staged import (
    action,
    announced,
    drawn,
    newest_roll,
    offered,
    offers,
    press,
)
from tests.rulesets.forged.table.forged import stress
from tests.rulesets.forged.table.test_action import decide
from tests.sheets import create_character


def test_who_helps_pays_the_stress_themselves_and_who_pushes_pays_two_for_each(play, cross, thorn):
    procedure = announced(play, cross)
    with pytest.raises(Forbidden):
        press(play.mo, procedure, "assist", f"{thorn.pk}.{cross.pk}")
    press(play.other, procedure, "assist", f"{thorn.pk}.{cross.pk}")
    for push in ("die", "effect"):
        press(play.mo, procedure, "push", f"{cross.pk}.{push}")
    press(play.mo, procedure, "roll", cross.pk, faces=(6, 2, 3))
    assert (stress(cross), stress(thorn)) == (7, 1)
    assert newest_roll().outcome["reached"] == "great"
    void_roll(play.gm, newest_roll().pk, key=uuid4())
    assert (stress(cross), stress(thorn)) == (3, 0)
    assert not action(procedure)[0].fallen and offered(procedure, play.mo) >= {"roll", "push"}


def test_a_bargain_is_offered_by_somebody_else_and_taken_or_refused(play, cross, thorn):
    procedure = announced(play, cross)
    with pytest.raises(Forbidden):
        offers(play.mo, procedure, "I lose my knife")
    assert "offer" not in offered(procedure, play.mo)
    offers(play.other, procedure, "The guard remembers your face")
    offer = "The guard remembers your face (from Thorn, for +1 die)"
    assert drawn(procedure)["staged"].notes[-1] == f"Devil’s Bargain: {offer}"
    press(play.mo, procedure, "refuse", cross.pk)
    offers(play.gm, procedure, "You leave blood")
    press(play.mo, procedure, "accept", cross.pk)
    press(play.mo, procedure, "roll", cross.pk, faces=(1, 6))
    assert newest_roll().ask["bargain"] == "You leave blood"


def test_a_gambit_is_spent_from_the_crew_and_won_back_by_one_switch_that_of_the_house_rules(play, cross):
    crew = create_character(
        campaign=play.campaign,
        name="The Lamps",
        system="forged",
        is_crew=True,
        sheet={"gambits": 1},
    )
    procedure = announced(play, cross)
    with pytest.raises(Conflict):
        press(play.mo, procedure, "spend_gambit")
    decide(play, gambits=True)
    press(play.mo, procedure, "spend_gambit")
    press(play.mo, procedure, "roll", cross.pk, faces=(6, 2))
    crew.refresh_from_db()
    assert crew.number("gambits") == 0
    again = announced(play, cross)
    press(play.mo, again, "roll", cross.pk, faces=(6,))
    crew.refresh_from_db()
    assert crew.number("gambits") == 1
