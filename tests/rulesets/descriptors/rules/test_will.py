import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, OutOfRange, UnknownWord
from rulesets.descriptors.rules.contest import Ask, oppose
from rulesets.descriptors.rules.power import Track, track
from rulesets.descriptors.rules.scene import (
    Condition,
    SceneDescriptor,
    end_scene,
    leave_scene,
    make,
    make_permanent,
    reduce,
    refresh,
    refreshment_scene,
    stick,
)
from rulesets.descriptors.rules.will import UNLIMITED, Contribution, Owner, pay_for_roll, pay_pools, spend
from rulesets.descriptors.settings import Settings

SWORD, FEAR = Contribution("sword", 3, Owner.A), Contribution("afraid of steel", 2, Owner.B)
SMOKE = Contribution("smoke", 2, Owner.SCENE)


def test_each_descriptor_costs_1_and_pays_its_owner_when_used_against_them():
    paid = pay_pools((SWORD, FEAR), (SMOKE,), will_a=9, will_b=9)
    assert paid.ask == Ask(a=5, b=2)
    assert (paid.a.after, paid.b.after) == (7, 9)


def test_a_descriptor_serves_one_pool_once():
    for a, b in (((SWORD, SWORD), ()), ((SMOKE,), (SMOKE,))):
        with pytest.raises(NotPossible):
            pay_pools(a, b, will_a=9, will_b=9)
    again = pay_pools((SMOKE,), (SMOKE,), will_a=9, will_b=9, settings=Settings(once_per_roll=False))
    assert again.ask == Ask(a=2, b=2)


def test_the_last_will_is_rolled_and_then_its_owner_is_out():
    assert pay_for_roll(2, invoked=2).out_after_roll
    with pytest.raises(NotPossible):
        pay_for_roll(2, invoked=2, settings=Settings(last_point_rolls=False))


def test_a_gain_keeps_in_the_scene_but_does_not_pay_for_the_same_roll():
    assert not pay_for_roll(1, invoked=1, used_against=1).out_after_roll
    with pytest.raises(NotPossible):
        pay_for_roll(1, invoked=2, used_against=1)
    assert pay_for_roll(1, invoked=2, used_against=1, settings=Settings(gains_pay=True)).after == 0


def test_a_fund_may_be_unlimited():
    assert pay_for_roll(UNLIMITED, invoked=50).after is UNLIMITED
    assert spend(UNLIMITED, 100) is UNLIMITED


@given(st.integers(0, 20), st.integers(0, 20), st.integers(0, 20))
def test_a_fund_never_falls_below_0(will, invoked, used_against):
    if invoked > will:
        with pytest.raises(NotPossible):
            pay_for_roll(will, invoked=invoked, used_against=used_against)
    else:
        paid = pay_for_roll(will, invoked=invoked, used_against=used_against)
        assert paid.after == will - invoked + used_against >= 0
        assert paid.out_after_roll == (paid.after == 0)


def test_pools_over_100_dice_are_refused():
    with pytest.raises(OutOfRange):
        pay_pools((Contribution("army", 60, Owner.A), Contribution("navy", 41, Owner.A)), (), will_a=9, will_b=9)
    with pytest.raises(OutOfRange):
        pay_pools((SWORD,) * 101, (), will_a=200, will_b=9)
    with pytest.raises(OutOfRange):
        Contribution("army", 101, Owner.A)
    with pytest.raises(UnknownWord):
        Contribution("army", 1, "nobody")


def test_successes_make_a_scene_descriptor_that_goes_with_the_scene_unless_it_sticks():
    tied = make("tied up", oppose([9, 8, 7], [6]), made_by="Christopher")
    assert tied.dice == 3
    stuck = stick(tied, "Bob", 4)
    assert (stuck.will, stuck.descriptor.stuck_to) == (3, "Bob")
    assert end_scene([tied, stuck.descriptor]) == (stuck.descriptor,)


def test_a_stalemate_makes_nothing_and_sticking_takes_will_and_happens_once():
    with pytest.raises(NotPossible):
        make("smoke", oppose([5], [5]))
    with pytest.raises(NotPossible):
        stick(SceneDescriptor("smoke", 1), "Bob", 0)
    with pytest.raises(NotPossible):
        stick(SceneDescriptor("smoke", 1, stuck_to="Bob"), "Abigail", 5)


def test_the_gm_reduces_what_somebody_did_something_about():
    assert reduce(SceneDescriptor("smoke", 3), 2) == SceneDescriptor("smoke", 1)
    assert reduce(SceneDescriptor("smoke", 3), 3) is None
    with pytest.raises(OutOfRange):
        reduce(SceneDescriptor("smoke", 3), 4)


def test_temporary_ones_stay_for_good_only_where_the_campaign_has_a_rule():
    stuck, allowed = SceneDescriptor("scar", 1, stuck_to="Bob"), Settings(temporary_may_stay_for_good=True)
    with pytest.raises(NotPossible):
        make_permanent(stuck)
    with pytest.raises(NotPossible):
        make_permanent(SceneDescriptor("smoke", 1), allowed)
    assert make_permanent(stuck, allowed).permanent


def test_a_refreshment_scene_restores_both_and_lets_the_gm_escalate():
    tired, proud = Condition(0, track(6, [1, 6]), out_of_scene=True), Condition(12, track(6, [2]))
    after = refreshment_scene(tired, proud, between_scenes=True)
    assert (after.caller, after.partner, after.escalations) == (Condition(9), Condition(12), 1)
    alone = refreshment_scene(tired, proud, between_scenes=True, settings=Settings(both_refreshed=False))
    assert alone.partner == proud
    with pytest.raises(NotPossible):
        refreshment_scene(tired, proud, between_scenes=False)


def test_without_will_nobody_joins_another_scene_and_crossed_boxes_stay():
    assert not leave_scene(Condition(0)).may_join
    hurt = leave_scene(Condition(3, track(6, [6]), out_of_scene=True))
    assert (hurt.may_join, hurt.out_of_scene, hurt.track.crossed) == (True, False, {6})
    assert refresh(Condition(UNLIMITED)).will is UNLIMITED


@given(st.integers(0, 30), st.frozensets(st.integers(1, 6)))
def test_refreshing_never_takes_will_and_twice_is_once(will, crossed):
    after = refresh(Condition(will, Track(6, crossed)))
    assert after == Condition(max(will, 9))
    assert refresh(after) == after
