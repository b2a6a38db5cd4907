from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.procedures import Answer, RollPart
from rulesets.forged.rules.downtime import (
    ENTANGLEMENTS,
    Activity,
    Downtime,
    DowntimeStage,
    Exposure,
    Rated,
    Scoundrel,
    Sheet,
    Taken,
    amount_of,
    entanglement,
    heat_steps,
    score_heat,
)
from rulesets.forged.rules.downtime_acts import PUSHED, fell, stress_effects, trainable
from rulesets.forged.rules.roll import Result
from tests.rules.refusals import NO_BOOLS, NO_WORDS, refused
from tests.uids import uid


def test_the_louder_a_score_the_more_heat():
    assert [score_heat(exposure) for exposure in Exposure] == [0, 2, 4, 6]


def test_target_turf_and_war_add_one_each_and_killing_two():
    assert score_heat(Exposure.LOUD, prominent=True, war=True) == 6
    assert score_heat(Exposure.UNSEEN, killing=True) == 2
    assert score_heat(Exposure.WILD, prominent=True, hostile_turf=True, war=True, killing=True) == 11


def changed(present, wanted, added):
    """Return heat and wanted level after these steps on the crew's sheet."""
    after = Counter(heat=present, wanted=wanted)
    for step in heat_steps(present, wanted, added):
        after[step.address] += step.by
    return after["heat"], after["wanted"]


def test_nine_heat_are_a_wanted_level_and_the_rest_rolls_over():
    assert changed(7, 0, 4) == (2, 1)
    assert changed(8, 0, 0) == (8, 0)
    assert changed(0, 1, 9) == (0, 2)
    assert changed(9, 0, 0) == (0, 1)


def test_levels_above_the_highest_are_lost():
    assert changed(8, 3, 11) == (1, 4)


def test_less_heat_leaves_the_wanted_level_and_stops_at_none():
    assert changed(3, 2, -2) == (1, 2)
    assert changed(3, 2, -5) == (0, 2)


@given(st.integers(0, 9), st.integers(0, 4), st.integers(0, 20))
def test_heat_stays_on_its_track(present, wanted, added):
    heat, level = changed(present, wanted, added)
    assert 0 <= heat <= 8
    assert level == min(4, wanted + (present + added) // 9)


def test_the_hotter_the_crew_the_further_right_the_column():
    columns = [ENTANGLEMENTS[Result.FULL].index(entanglement(present, Result.FULL)) for present in range(9)]
    assert columns == [0, 0, 0, 0, 1, 1, 2, 2, 2]


def test_a_critical_entangles_like_a_six_and_every_place_has_an_entry():
    for present in (0, 4, 6):
        assert entanglement(present, Result.CRITICAL) == entanglement(present, Result.FULL)
        for result in ENTANGLEMENTS:
            assert 1 <= len(entanglement(present, result)) <= 2


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_for_heat_are_checked(wrong):
    refused(score_heat, "exposure", wrong)
    refused(lambda value: entanglement(0, value), "result", wrong)


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
@pytest.mark.parametrize("name", ["prominent", "hostile_turf", "war", "killing"])
def test_what_makes_a_score_hotter_is_there_or_not(name, wrong):
    refused(lambda value: score_heat(Exposure.LOUD, **{name: value}), name, wrong)


TICKING = [Activity.PROJECT, Activity.RECOVER, Activity.HEAT]


@pytest.mark.parametrize("kind", TICKING)
def test_projects_recovery_and_heat_go_by_one_two_three_and_five(kind):
    assert [amount_of(kind, result) for result in Result] == [1, 2, 3, 5]


@pytest.mark.parametrize("kind", TICKING)
def test_a_coin_makes_the_result_one_better_up_to_critical(kind):
    assert [amount_of(kind, Result.BAD, coin=coin) for coin in range(5)] == [1, 2, 3, 5, 5]


def test_an_asset_is_of_the_crews_tier_more_or_less():
    assert [amount_of(Activity.ACQUIRE, result, tier=2) for result in Result] == [1, 2, 3, 4]
    assert amount_of(Activity.ACQUIRE, Result.BAD, tier=0) == 0
    assert [amount_of(Activity.ACQUIRE, Result.CRITICAL, tier=1, coin=coin) for coin in range(5)] == [3, 3, 4, 4, 5]


def test_training_is_worth_one_xp_however_it_goes():
    assert {amount_of(Activity.TRAIN, result, coin=1) for result in Result} == {1}


@given(
    st.sampled_from([*TICKING, Activity.ACQUIRE, Activity.TRAIN]),
    st.sampled_from(Result),
    st.integers(0, 99),
    st.integers(0, 6),
)
def test_more_coin_never_makes_it_worse(kind, result, coin, tier):
    assert amount_of(kind, result, coin=coin + 1, tier=tier) >= amount_of(kind, result, coin=coin, tier=tier) >= 0


def indulged(stress, face):
    """Return who indulged with this die, and what it cleared."""
    cross = Scoundrel(key="1", name="Cross", character=uid("cross"), sheet=Sheet(stress=stress))
    state = Downtime(stage=DowntimeStage.ACTIVITIES, war=False, those=(cross,))
    outcome = {"result": "bad", "dice": [{"face": face, "role": "kept"}]}
    terms = {"settles": "vice", "keeps": {"what": "vice", "rating": 1, "by": "1"}}
    after = fell(state, Answer(part=RollPart("1", "0"), outcome=outcome, terms=terms))
    return after.state.those[0], -sum(step.by for write in after.effects for step in write.steps)


@pytest.mark.parametrize(("stress", "face", "over"), [(3, 5, True), (5, 5, False), (9, 1, False), (0, 1, True)])
def test_a_vice_clears_what_the_die_says_and_a_higher_one_overindulges(stress, face, over):
    cross, cleared = indulged(stress, face)
    assert (cleared, cross.over) == (min(stress, face), over)
    assert cross.taken[-1] == Taken(what=Activity.VICE, amount=cleared)


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_are_checked(wrong):
    refused(lambda value: amount_of(Activity.HEAT, value), "result", wrong)


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
    state = Downtime(stage=DowntimeStage.ACTIVITIES, war=False, those=(crowded,), boxes=9)
    (write,) = stress_effects(state, crowded, 2, PUSHED)
    assert [(step.by, step.most) for step in write.steps] == [(2, 9)]
