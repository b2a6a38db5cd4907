"""What follows of a staged action: consequences that the GM names, each settled once by those whom it hits."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import translation

from campaigns.errors import Blocked, Conflict, Forbidden, Invalid
from rolls.models import Procedure, Roll
from rolls.services.procedures import act, take_back_step
from rolls.services.rolls import void_roll
from rules.acts import ActKey
from tests.rolls.steps import newest_step
from tests.rulesets.forged.procedures.staged import (
    action,
    begin,
    clock,
    drawn,
    filled,
    harms,
    inflicts,
    newest_roll,
    over,
    press,
    rolled,
    sets,
    state,
    terms,
)
from tests.rulesets.forged.table.forged import stress
from tests.sheets import rewrite


def test_the_gm_names_what_position_and_result_suggest_or_anything_else(play, cross):
    procedure = rolled(play, cross, 4)
    acting, _table = action(procedure)
    assert acting.menu == ["harm_2", "complication", "reduced_effect", "desperate_position"]
    assert set(acting.choices) - set(acting.menu) == {
        *("harm_1", "harm_3", "harm_4"),
        *("minor_complication", "serious_complication", "risky_position", "lost_opportunity", "lost_item"),
    }
    for code in ("withdraw", "nonsense"):
        with pytest.raises(Invalid) as refused:
            inflicts(play.gm, procedure, code, words="Broken leg")
        assert refused.value.field == "code"
    with pytest.raises(Forbidden):
        inflicts(play.mo, procedure, "complication")
    for code, given in (("harm_2", {"words": ""}), ("complication", {"words": ""})):
        with pytest.raises(Invalid) as refused:
            inflicts(play.gm, procedure, code, **given)
        assert refused.value.field == "words"
    for code, by in (("harm_2", 2), ("complication", 3)):
        with pytest.raises(Invalid) as refused:
            inflicts(play.gm, procedure, code, words="A cut", by=by)
        assert refused.value.field == "by"


def test_it_is_applied_when_it_is_settled_and_not_before(play, cross):
    alarm = clock(play)
    procedure = rolled(play, cross, 4)
    inflicts(play.gm, procedure, "complication", clock=alarm.pk)
    inflicts(play.gm, procedure, "harm_2", words="Cut to the ribs")
    press(play.gm, procedure, "finish")
    assert (filled(alarm), harms(cross, 2), over(procedure)) == (0, [], False)
    press(play.mo, procedure, "take_it", "c1")
    assert (filled(alarm), harms(cross, 2)) == (2, [])
    assert drawn(procedure)["staged"].rows[0].detail == "Cross · taken"
    press(play.mo, procedure, "take_it", "c2")
    assert (harms(cross, 2), over(procedure)) == (["Cut to the ribs"], True)


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
    for given, field in (({"more": 1, "why": " "}, "why"), ({"more": 7, "why": "A charm"}, "more")):
        with pytest.raises(Invalid) as refused:
            press(play.mo, procedure, "more_dice", "c1", push=False, **given)
        assert refused.value.field == field
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


def test_armour_is_marked_without_a_roll_and_heavy_armour_is_a_second_box(play, cross):
    rewrite(cross, sheet=cross.sheet | {"armor_boxes": 2})
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "harm_2", words="Cut")
    with pytest.raises(Conflict):
        press(play.mo, procedure, "armor", "c1.heavy_armor")
    press(play.mo, procedure, "armor", "c1.armor")
    press(play.mo, procedure, "armor", "c1.heavy_armor")
    cross.refresh_from_db()
    assert (cross.value("armor"), cross.value("heavy_armor"), harms(cross, 1)) == (True, True, [])
    assert drawn(procedure)["staged"].rows[0].detail.endswith("avoided")
    assert Roll.objects.filter(kind="resistance").count() == 0
    for boxes in ((True, False), (False, False)):
        take_back_step(play.gm, procedure.pk, step=newest_step(procedure), key=uuid4())
        cross.refresh_from_db()
        assert (cross.value("armor"), cross.value("heavy_armor")) == boxes


def test_a_worse_position_waits_for_the_next_roll_and_is_used_up_by_it(play, cross):
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "desperate_position", words="")
    press(play.mo, procedure, "take_it", "c1")
    press(play.gm, procedure, "finish")
    token = Procedure.objects.get(kind="setup")
    again = begin(play.mo, cross)
    sets(play.gm, again)
    assert terms(again) == "desperate, standard effect"
    press(play.mo, again, "roll", cross.pk, faces=(6,))
    token.refresh_from_db()
    assert token.closed_at and newest_roll().outcome["position"] == "desperate"


def test_of_two_who_settle_at_once_the_second_looks_again(play, cross, thorn):
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "harm_2", words="Shot")
    act(play.other, procedure.pk, ActKey("protect", f"c1.{thorn.pk}"), key=uuid4())
    with pytest.raises(Forbidden):
        act(play.mo, procedure.pk, ActKey("take_it", "c1"), key=uuid4())


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
    with pytest.raises(Blocked) as refused:
        void_roll(play.gm, action.pk, key=uuid4())
    assert "Another roll followed" in refused.value.message
    void_roll(play.gm, Roll.objects.get(kind="resistance").pk, key=uuid4())
    assert (harms(cross, 1), stress(cross), filled(alarm)) == ([], 3, 2)
    void_roll(play.gm, action.pk, key=uuid4())
    assert filled(alarm) == 0 and state(procedure)["stage"] == "set" and state(procedure)["consequences"] == []
