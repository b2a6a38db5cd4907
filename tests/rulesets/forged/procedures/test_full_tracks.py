"""A track that is full does not stay so, whoever has filled it and how: stress brings its trauma, heat a wanted level (public
rules, Stress and Trauma, Heat)."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict
from characters.models import Character
from characters.services.cards import Card, card_of, card_version, change_character, return_character
from characters.services.fields import mark_resources, set_field, undo_change
from rolls.models import Procedure
from rolls.services.rolls import correct_roll, void_roll
from rolls.services.settings import change_settings
from rolls.settings import settings_in
from tests.answers import refusal
from tests.rulesets.forged.procedures.scene import Crew
from tests.rulesets.forged.procedures.staged import announced, begin, drawn, newest_roll, over, press, sets
from tests.rulesets.forged.table.forged import roll, scoundrel, stress
from tests.sheets import create_character


@pytest.fixture
def cross(play):
    return scoundrel(play, stress=8)


@pytest.fixture
def crew(play):
    """Heat 8, wanted level 1."""
    return Crew(play, heat=8).crew


def traumas():
    return Procedure.objects.filter(kind="trauma", closed_at=None)


def put(by, character, address, value):
    now = Character.objects.get(pk=character.pk)
    return set_field(by, now, address, value, expected=now.value(address), key=uuid4())


def numbers(character, *addresses):
    now = Character.objects.get(pk=character.pk)
    return tuple(now.number(address) for address in addresses)


def lines_of(play, character):
    """Return the words of the log's lines about a sheet: what became of it, or the field that changed."""
    told = [event.described for event in play.events() if event.kind == "characters.field_changed"]
    mine = [one for one in told if one["character"]["id"] == str(character.pk) and not one["quiet"]]
    return [one["became"] or one["cell"]["label"] for one in mine]


def said(play):
    told = [event.described for event in play.events() if event.kind.startswith("rolls.procedure")]
    return [one["said"] for one in told if one["said"]]


def test_the_last_box_marked_by_hand_brings_a_trauma_at_once_and_is_told_once(play, cross):
    put(play.mo, cross, "stress", 9)
    assert traumas().get().state["those"] == [str(cross.pk)]
    assert said(play) == ["The stress track is full, which brings a trauma: Cross."]
    press(play.mo, traumas().get(), "choose", f"{cross.pk}.cold")
    assert numbers(cross, "stress") == (0,) and not traumas().exists()


def test_a_box_that_is_taken_back_takes_its_trauma_with_it(play, cross):
    put(play.mo, cross, "stress", 9)
    undo_change(play.mo, cross, key=uuid4())
    assert (traumas().count(), stress(cross)) == (0, 8)


def test_a_box_whose_trauma_was_chosen_is_not_taken_back(play, cross):
    put(play.mo, cross, "stress", 9)
    press(play.mo, traumas().get(), "choose", f"{cross.pk}.cold")
    with pytest.raises(Conflict):
        undo_change(play.mo, cross, key=uuid4())
    assert numbers(cross, "stress") == (0,)


def test_a_step_that_filled_the_track_takes_the_trauma_with_it_and_what_was_chosen(play, cross):
    leader = scoundrel(play, "Thorn", play.other, stress=0)
    procedure = begin(play.mo, cross, group=True)
    press(play.other, procedure, "join", leader.pk)
    sets(play.gm, procedure)
    press(play.mo, procedure, "roll", cross.pk)
    press(play.other, procedure, "roll", leader.pk, faces=(1, 6))
    press(play.mo, traumas().get(), "choose", f"{cross.pk}.soft")
    while over(procedure) or Procedure.objects.get(pk=procedure.pk).state["rollers"][0]["result"]:
        roll = Procedure.objects.get(pk=procedure.pk).steps.exclude(roll=None).last().roll
        void_roll(play.gm, roll.pk, key=uuid4())
    cross.refresh_from_db()
    assert (cross.number("stress"), cross.value("trauma_soft"), traumas().count()) == (8, False, 0)


def test_a_roll_that_is_read_anew_has_cost_what_it_cost_and_its_trauma_stays(play, cross):
    made = roll(play, 1, 2, 3, 4, character=cross, action="skirmish", push_die=True)
    correct_roll(play.gm, made.pk, {"position": "desperate"}, key=uuid4())
    assert traumas().count() == 1
    void_roll(play.gm, newest_roll().pk, key=uuid4())
    assert (traumas().count(), stress(cross)) == (0, 8)


def test_a_sheet_that_comes_into_play_full_brings_its_trauma(play):
    worn = scoundrel(play, stress=9)
    Character.objects.filter(pk=worn.pk).update(retired_at="2026-01-01T00:00Z")
    return_character(play.mo, worn, key=uuid4())
    assert traumas().count() == 1


def test_npcs_stay_as_the_gm_writes_them_until_somebody_plays_them(play):
    npc = create_character(campaign=play.campaign, name="Bluecoat", system="forged", shown=False, sheet={"stress": 8})
    put(play.gm, npc, "stress", 9)
    assert not Procedure.objects.exists()
    npc.refresh_from_db()
    card = card_of(npc)
    given = Card(**{**vars(card), "owner": play.mo})
    change_character(play.gm, npc, given, expected=card_version(npc), key=uuid4())
    assert traumas().count() == 1


def test_a_track_that_a_campaign_makes_shorter_is_full_for_whom_it_then_is(play, cross):
    scoundrel(play, "Thorn", play.other, stress=5)
    change_settings(play.gm, settings_in({"forged": {"boxes": 6}}), key=uuid4())
    assert traumas().get().state["those"] == [str(cross.pk)]


@pytest.mark.parametrize("mark", ["sheet", "panel"])
def test_nine_heat_marked_by_hand_are_a_wanted_level_at_once_and_told_once(play, crew, mark):
    if mark == "sheet":
        put(play.gm, crew, "heat", 9)
    else:
        mark_resources(play.mo, crew, {"heat": 1}, key=uuid4())
    assert numbers(crew, "heat", "wanted") == (0, 2)
    assert lines_of(play, crew) == ["are now wanted, level 2"]


def test_heat_that_is_taken_back_takes_its_wanted_level_with_it(play, crew):
    put(play.gm, crew, "heat", 9)
    undo_change(play.gm, crew, key=uuid4())
    assert numbers(crew, "heat", "wanted") == (8, 1)


def test_what_was_marked_since_stays_when_heat_is_taken_back(play, crew):
    put(play.gm, crew, "heat", 9)
    put(play.mo, crew, "heat", 2)
    assert "Mo has changed Heat since" in refusal(Conflict, undo_change, play.gm, crew, key=uuid4()).message
    assert numbers(crew, "heat", "wanted") == (2, 2)


def test_a_procedure_that_waits_is_told_of_a_trauma_that_was_marked_by_hand(play, cross):
    procedure = announced(play, cross)
    put(play.mo, cross, "stress", 9)
    assert [one["words"] for one in drawn(procedure)["waits"]] == ["to choose a trauma first"]
