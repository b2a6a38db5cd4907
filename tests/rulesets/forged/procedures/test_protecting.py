"""A teammate who steps in front of a consequence, and who leaves meanwhile (forged.txt, Protect)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, NotFound
from campaigns.services.members import remove_member
from characters.services.cards import retire_character
from rolls.services.procedures import act
from rules.acts import ActKey
from tests.rulesets.forged.procedures.staged import drawn, harms, inflicts, offered, over, press, rolled, state
from tests.rulesets.forged.table.forged import scoundrel, stress


def test_a_teammate_steps_in_and_suffers_it_instead(play, cross, thorn):
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "harm_2", words="Shot")
    with pytest.raises(Forbidden):
        press(play.mo, procedure, "protect", f"c1.{thorn.pk}")
    press(play.other, procedure, "protect", f"c1.{thorn.pk}")
    with pytest.raises(Forbidden):
        press(play.mo, procedure, "take_it", "c1")
    press(play.other, procedure, "resist", "c1", faces=(3, 1, 1))
    press(play.other, procedure, "take_it", "c1")
    assert (harms(thorn, 1), harms(cross, 2), stress(thorn)) == (["Shot"], [], 3)


def test_a_protector_who_leaves_play_is_hit_all_the_same_and_the_gm_settles_it(play, cross, thorn):
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "harm_2", words="Shot")
    press(play.other, procedure, "protect", f"c1.{thorn.pk}")
    retire_character(play.gm, thorn, key=uuid4())
    with pytest.raises(Conflict):
        press(play.gm, procedure, "resist", "c1")
    press(play.gm, procedure, "take_it", "c1")
    press(play.gm, procedure, "finish")
    assert over(procedure) and harms(thorn, 2) == ["Shot"]


def test_a_protector_who_is_removed_from_the_table_is_hit_and_the_gm_settles_it(play, cross, thorn):
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "harm_2", words="Cut")
    press(play.other, procedure, "protect", f"c1.{thorn.pk}")
    remove_member(play.gm, play.other, key=uuid4())
    with pytest.raises(NotFound):
        press(play.other, procedure, "take_it", "c1")
    with pytest.raises(Forbidden):
        press(play.mo, procedure, "take_it", "c1")
    press(play.gm, procedure, "take_it", "c1")
    assert (harms(thorn, 2), harms(cross, 2)) == (["Cut"], [])


def test_whoever_is_removed_before_they_step_in_is_the_gm_s_to_bring_in_or_not(play, cross, thorn):
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "harm_2", words="Cut")
    assert "protect" in offered(procedure, play.other)
    remove_member(play.gm, play.other, key=uuid4())
    with pytest.raises(NotFound):
        press(play.other, procedure, "protect", f"c1.{thorn.pk}")
    buttons = [one for one in drawn(procedure)["staged"].rows[0].buttons if one.name == "protect"]
    assert [one.members for one in buttons] == [[]]
    press(play.mo, procedure, "take_it", "c1")
    assert harms(cross, 2) == ["Cut"]


def test_of_two_who_step_in_at_once_the_second_looks_again(play, cross, thorn):
    nock = scoundrel(play, "Nock", play.other, stress=0)
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "harm_2", words="Cut")
    act(play.other, procedure.pk, ActKey("protect", f"c1.{thorn.pk}"), key=uuid4())
    with pytest.raises(Conflict):
        act(play.gm, procedure.pk, ActKey("protect", f"c1.{nock.pk}"), key=uuid4())
    assert state(procedure)["consequences"][0]["whom"] == str(thorn.pk)
