"""A staged action until its dice fall: who sets what, what is offered and taken, what it costs, and races."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Forbidden, Invalid, InvalidForm, NotFound
from campaigns.services.members import remove_member
from characters.models import Character
from rolls.models import Procedure, Roll
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
from tests.answers import refusal
from tests.characters.operations import last, lines
from tests.rolls.steps import mark
from tests.rulesets.forged.procedures.staged import (
    announced,
    begin,
    drawn,
    newest_roll,
    press,
    sets,
    shown,
    state,
    terms,
)
from tests.rulesets.forged.table.forged import scoundrel


def test_the_player_says_the_action_and_the_gm_sets_position_and_effect(play, cross, thorn):
    procedure = begin(play.mo, cross)
    assert [one["words"] for one in drawn(procedure)["waits"]] == ["to set position and effect"]
    with pytest.raises(Forbidden):
        sets(play.mo, procedure, position="controlled")
    sets(play.gm, procedure, position="desperate", base="great", scale=-1, why="there are many of them")
    assert terms(procedure) == "desperate, standard effect"
    assert "The GM set desperate, great effect, scale −1" in drawn(procedure)["staged"].notes[0]
    assert drawn(procedure)["staged"].notes == ["The GM set desperate, great effect, scale −1: there are many of them."]
    press(play.mo, procedure, "roll", cross.pk, faces=(6,))
    made = newest_roll()
    assert (made.character, made.by, made.ask["position"], made.ask["effect"]) == (
        cross,
        play.mo,
        "desperate",
        "standard",
    )
    assert made.ask["set_by_gm"] is True
    assert Procedure.objects.get(pk=procedure.pk).closed_at


def test_what_the_gm_leaves_out_is_usual_and_what_is_needed_is_asked_for(play, cross):
    procedure = begin(play.mo, cross)
    usual = {"base": "standard", "scale": 1}
    assert list(refusal(InvalidForm, press, play.gm, procedure, "set", **usual).errors) == ["position"]
    press(play.gm, procedure, "set", **usual, position="risky")
    assert terms(procedure) == "risky, great effect"


def test_one_press_of_the_gm_sets_what_is_usual(play, cross):
    procedure = begin(play.mo, cross)
    now = shown(play.gm, procedure)["now"]
    usual = {name: now[name] for name in ("position", "base")}
    assert usual == {"position": "risky", "base": "standard"}
    press(play.gm, procedure, "set", **usual)
    assert drawn(procedure)["staged"].notes == []  # it is on the card already
    press(play.mo, procedure, "roll", cross.pk, faces=(6,))
    assert newest_roll().ask["set_by_gm"] is True


def test_a_trade_is_offered_by_one_side_and_accepted_by_the_other(play, cross, thorn):
    procedure = announced(play, cross)
    press(play.mo, procedure, "propose", "effect")
    assert terms(procedure) == "risky, standard effect"
    with pytest.raises(Forbidden):
        press(play.mo, procedure, "agree")
    press(play.gm, procedure, "agree")
    assert terms(procedure) == "desperate, great effect"
    press(play.mo, procedure, "roll", cross.pk, faces=(6,))
    assert newest_roll().outcome["position"] == "desperate"


def test_what_the_gm_offers_the_player_answers_and_others_do_not(play, cross, thorn):
    procedure = announced(play, cross)
    press(play.gm, procedure, "propose", "position")
    with pytest.raises(Forbidden):
        press(play.other, procedure, "agree")
    press(play.mo, procedure, "agree")
    assert terms(procedure) == "controlled, limited effect"


def test_of_two_who_help_at_once_the_second_looks_again(play, cross, thorn):
    third = scoundrel(play, "Nock", play.other, stress=0)
    procedure = announced(play, cross)
    act(play.other, procedure.pk, ActKey("assist", f"{thorn.pk}.{cross.pk}"), key=uuid4())
    with pytest.raises(Conflict):
        act(play.other, procedure.pk, ActKey("assist", f"{third.pk}.{cross.pk}"), key=uuid4())
    with pytest.raises(Conflict):
        press(play.other, procedure, "assist", f"{third.pk}.{cross.pk}")
    assert state(procedure)["rollers"][0]["helper"] == str(thorn.pk)


def test_nothing_is_rolled_in_a_position_that_the_player_has_not_seen(play, cross):
    procedure = announced(play, cross)
    seen = mark(procedure, f"roll:{cross.pk}")
    sets(play.gm, procedure, position="desperate")
    with pytest.raises(Conflict):
        act(play.mo, procedure.pk, ActKey("roll", str(cross.pk), seen), key=uuid4())
    assert not Roll.objects.exists()


def test_the_gm_acts_for_who_was_removed(play, cross):
    procedure = announced(play, cross)
    remove_member(play.gm, play.mo, key=uuid4())
    press(play.gm, procedure, "roll", cross.pk, faces=(6,))
    assert newest_roll().by == play.gm


def test_a_desperate_action_marks_its_xp_and_its_card_alone_says_so(play, cross):
    procedure = announced(play, cross, position="desperate")
    first = last()
    press(play.mo, procedure, "roll", cross.pk, faces=(6,))
    cross.refresh_from_db()
    assert cross.number("prowess_xp") == 1
    assert len(lines(first)) == 1


def test_nobody_announces_for_others_and_npcs_do_not_roll(play, cross, thorn):
    npc = Character.objects.create(campaign=play.campaign, name="Bluecoat", system="forged")
    for member, wrong in ((play.mo, thorn), (play.gm, npc), (play.gm, play.silas)):
        with pytest.raises(Invalid):
            begin(member, wrong)
    with pytest.raises(NotFound):
        open_procedure(play.mo, "forged", "setup", {}, key=uuid4())


def test_it_is_taken_back_by_whoever_announced_it(play, cross, thorn):
    procedure = begin(play.mo, cross)
    with pytest.raises(Forbidden):
        press(play.other, procedure, "withdraw")
    press(play.mo, procedure, "withdraw")
    assert Procedure.objects.get(pk=procedure.pk).closed_at


def test_what_somebody_types_is_not_refused_because_another_was_quicker(play, cross, thorn):
    procedure = announced(play, cross)
    press(play.other, procedure, "assist", f"{thorn.pk}.{cross.pk}")
    act(play.gm, procedure.pk, ActKey("offer"), given={"words": "You leave blood", "coin": 0, "item": ""}, key=uuid4())
    assert state(procedure)["bargain"] == "You leave blood"
    press(play.mo, procedure, "roll", cross.pk, faces=(6, 1))
    with pytest.raises(Blocked):
        act(play.gm, procedure.pk, ActKey("offer"), given={"words": "Too late", "coin": 0, "item": ""}, key=uuid4())
