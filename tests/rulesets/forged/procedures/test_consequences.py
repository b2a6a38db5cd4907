"""What follows of a staged action: consequences that the GM names, each settled once by those whom it hits."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import translation

from campaigns.errors import Blocked, Conflict, Forbidden
from rolls.models import Roll
from rolls.services.rolls import void_roll
from tests.answers import refusal
from tests.rulesets.forged.procedures.staged import (
    action,
    clock,
    drawn,
    filled,
    harms,
    inflicts,
    newest_roll,
    press,
    rolled,
    state,
)
from tests.rulesets.forged.table.forged import stress


def test_the_gm_names_what_position_and_result_suggest_or_anything_else(play, cross):
    procedure = rolled(play, cross, 4)
    acting, _table = action(procedure)
    assert acting.menu == ["harm_2", "complication", "reduced_effect", "desperate_position"]
    assert set(acting.choices) - set(acting.menu) == {
        *("harm_1", "harm_3", "harm_4"),
        *("minor_complication", "serious_complication", "risky_position", "lost_opportunity", "lost_item"),
    }
    with pytest.raises(Forbidden):
        inflicts(play.mo, procedure, "complication")


def test_resisting_is_a_roll_that_costs_stress_at_once(play, cross):
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "harm_2", words="Cut", attribute="prowess")
    press(play.mo, procedure, "resist", "c1", faces=(4, 2, 1))
    made = newest_roll()
    assert (made.kind, made.ask["attribute"], made.ask["set_by_gm"], stress(cross)) == (
        "resistance",
        "prowess",
        True,
        5,
    )
    assert drawn(procedure)["staged"].rows[0].words == "harm of level 1: Cut"
    with pytest.raises(Conflict):
        press(play.mo, procedure, "resist", "c1")
    press(play.mo, procedure, "take_it", "c1")
    assert harms(cross, 1) == ["Cut"]


def test_every_resistance_shows_its_odds_and_the_stress_to_expect_beforehand(play, cross):
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "harm_2", words="Cut", attribute="resolve")
    row = drawn(procedure)["staged"].rows[0]
    assert row.odds["sentence"] == "no stress 17 %, 1–2 33 %, 3–5 50 %."
    assert row.odds["lines"] == ["expected stress 2.5", "6 left before trauma"]
    assert "Resist with Resolve: 1 die" in [one.words for one in row.buttons]
    press(play.mo, procedure, "resist", "c1", faces=(3,))
    assert drawn(procedure)["staged"].rows[0].odds is None


def test_a_resistance_has_dice_from_a_push_and_from_abilities_with_the_reason(play, cross, thorn):
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "harm_2", words="Cut", attribute="resolve")
    with pytest.raises(Forbidden):
        press(play.other, procedure, "more_dice", "c1", push=True, more=0, why="")
    press(play.mo, procedure, "more_dice", "c1", push=True, more=1, why="Iron will")
    row = drawn(procedure)["staged"].rows[0]
    assert row.detail == "Cross · Resolve reduces it by 1 · push +1, Iron will +1"
    assert "Resist with Resolve: 3 dice" in [one.words for one in row.buttons]
    press(play.mo, procedure, "resist", "c1", faces=(1, 2, 4))
    assert stress(cross) == 3 + 2 + 2
    card = newest_roll().event.described
    assert [(one["words"], one["dice"]) for one in card["extras"]] == [("push", 1), ("Iron will", 1)]
    assert [(one["why"], one["stress"]) for one in card["costs"]] == [("push", 2), ("resistance", 2)]


def test_what_was_resisted_is_read_in_each_language(play, cross):
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "harm_2", words="Cut")
    with translation.override("de"):
        press(play.mo, procedure, "resist", "c1", faces=(4, 2, 1))
        assert newest_roll().event.described["detail"] == "Schaden der Stufe 2: Cut wird verringert"
    assert newest_roll().event.described["detail"] == "harm of level 2: Cut is reduced"


# Undo


def test_an_action_is_taken_back_with_all_that_followed_once_its_resistance_is(play, cross):
    alarm = clock(play)
    procedure = rolled(play, cross, 5)
    action = newest_roll()
    inflicts(play.gm, procedure, "harm_2", words="Cut")
    inflicts(play.gm, procedure, "complication", clock=alarm.pk)
    press(play.mo, procedure, "take_it", "c2")
    press(play.mo, procedure, "resist", "c1", faces=(4, 2, 1))
    press(play.mo, procedure, "take_it", "c1")
    assert "Another roll followed" in refusal(Blocked, void_roll, play.gm, action.pk, key=uuid4()).message
    void_roll(play.gm, Roll.objects.get(kind="resistance").pk, key=uuid4())
    assert (harms(cross, 1), stress(cross), filled(alarm)) == ([], 3, 2)
    void_roll(play.gm, action.pk, key=uuid4())
    assert filled(alarm) == 0 and state(procedure)["stage"] == "set" and state(procedure)["consequences"] == []
