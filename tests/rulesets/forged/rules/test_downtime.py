from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.forged.rules.downtime import (
    ENTANGLEMENTS,
    Downtime,
    Exposure,
    Heat,
    Indulged,
    downtime,
    entanglement,
    heat,
    score_heat,
    vice,
)
from rulesets.forged.rules.downtime_activities import PUSHED, stress_effects, trainable
from rulesets.forged.rules.downtime_state import Activity, DowntimeStage, Rated, Scoundrel, Sheet, Taken
from rulesets.forged.rules.downtime_state import Downtime as DowntimeState
from rulesets.forged.rules.roll import Result
from tests.rolls.rules.refusals import NO_BOOLS, NO_WORDS, refused
from tests.uids import uid


def test_the_louder_a_score_the_more_heat():
    assert [score_heat(exposure) for exposure in Exposure] == [0, 2, 4, 6]


def test_target_turf_and_war_add_one_each_and_killing_two():
    assert score_heat(Exposure.LOUD, prominent=True, war=True) == 6
    assert score_heat(Exposure.UNSEEN, killing=True) == 2
    assert score_heat(Exposure.WILD, prominent=True, hostile_turf=True, war=True, killing=True) == 11


def test_nine_heat_are_a_wanted_level_and_the_rest_rolls_over():
    assert heat(7, 0, 4) == Heat(2, 1, raised=1)
    assert heat(8, 0, 0) == Heat(8, 0)
    assert heat(0, 1, 9) == Heat(0, 2, raised=1)


def test_levels_above_the_highest_are_lost_and_said_to_be():
    assert heat(8, 3, 11) == Heat(1, 4, raised=1, lost=1)


@given(st.integers(0, 8), st.integers(0, 4), st.lists(st.integers(0, 100), max_size=8))
def test_no_heat_disappears_unsaid(present, wanted, added):
    for more in added:
        after = heat(present, wanted, more)
        assert 0 <= after.heat <= 8
        assert wanted + after.raised == after.wanted <= 4
        assert present + more == 9 * (after.raised + after.lost) + after.heat
        present, wanted = after.heat, after.wanted


def test_the_hotter_the_crew_the_further_right_the_column():
    columns = [entanglement(present, Result.FULL).column for present in range(9)]
    assert columns == [0, 0, 0, 0, 1, 1, 2, 2, 2]


def test_a_critical_entangles_like_a_six_and_every_place_has_an_entry():
    for present in (0, 4, 6):
        assert entanglement(present, Result.CRITICAL) == entanglement(present, Result.FULL)
        for result in ENTANGLEMENTS:
            assert 1 <= len(entanglement(present, result).entries) <= 2


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_for_heat_are_checked(wrong):
    refused(score_heat, "exposure", wrong)
    refused(lambda value: entanglement(0, value), "result", wrong)


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
@pytest.mark.parametrize("name", ["prominent", "hostile_turf", "war", "killing"])
def test_what_makes_a_score_hotter_is_there_or_not(name, wrong):
    refused(lambda value: score_heat(Exposure.LOUD, **{name: value}), name, wrong)


TICKING = [Downtime.PROJECT, Downtime.RECOVER, Downtime.HEAT]


@pytest.mark.parametrize("kind", TICKING)
def test_projects_recovery_and_heat_go_by_one_two_three_and_five(kind):
    assert [downtime(kind, result) for result in Result] == [1, 2, 3, 5]


@pytest.mark.parametrize("kind", TICKING)
def test_a_coin_makes_the_result_one_better_up_to_critical(kind):
    assert [downtime(kind, Result.BAD, coin=coin) for coin in range(5)] == [1, 2, 3, 5, 5]


def test_an_asset_is_of_the_crews_tier_more_or_less():
    assert [downtime(Downtime.ACQUIRE, result, tier=2) for result in Result] == [1, 2, 3, 4]
    assert downtime(Downtime.ACQUIRE, Result.BAD, tier=0) == 0
    assert [downtime(Downtime.ACQUIRE, Result.CRITICAL, tier=1, coin=coin) for coin in range(5)] == [3, 3, 4, 4, 5]


def test_training_is_worth_one_xp_however_it_goes():
    assert {downtime(Downtime.TRAIN, result, coin=1) for result in Result} == {1}


@given(st.sampled_from(Downtime), st.sampled_from(Result), st.integers(0, 99), st.integers(0, 6))
def test_more_coin_never_makes_it_worse(kind, result, coin, tier):
    assert downtime(kind, result, coin=coin + 1, tier=tier) >= downtime(kind, result, coin=coin, tier=tier) >= 0


def test_a_die_above_the_stress_overindulges():
    assert vice(3, 5) == Indulged(0, 3, overindulged=True)
    assert vice(5, 5) == Indulged(0, 5, overindulged=False)


@given(st.integers(0, 9), st.integers(1, 6))
def test_a_vice_clears_what_is_there_and_no_more(stress, value):
    indulged = vice(stress, value)
    assert (indulged.stress >= 0, indulged.stress + indulged.cleared) == (True, stress)
    assert indulged.overindulged == (value > stress)


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_are_checked(wrong):
    refused(lambda value: downtime(value, Result.BAD), "kind", wrong)
    refused(lambda value: downtime(Downtime.HEAT, value), "result", wrong)


def test_a_track_is_trained_while_it_has_room_and_once_in_a_downtime():
    tracks = tuple(
        Rated(name=name, number=marks) for name, marks in (("insight_xp", 6), ("prowess_xp", 5), ("playbook_xp", 7))
    )
    cross = Scoundrel(key="1", name="Cross", character=uid("cross"), sheet=Sheet(tracks=tracks))
    assert trainable(cross) == ["prowess_xp", "playbook_xp"]
    trained = Taken(what=Activity.TRAIN, amount=1, name="prowess_xp")
    assert trainable(replace(cross, taken=(trained,))) == ["playbook_xp"]


def test_stress_is_marked_up_to_the_last_box():
    crowded = Scoundrel(key="1", name="Cross", character=uid("cross"), sheet=Sheet(stress=8))
    state = DowntimeState(stage=DowntimeStage.ACTIVITIES, war=False, those=(crowded,), boxes=9)
    (write,) = stress_effects(state, crowded, 2, PUSHED)
    assert [(step.by, step.most) for step in write.steps] == [(2, 9)]
