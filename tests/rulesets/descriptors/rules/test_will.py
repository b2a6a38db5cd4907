import pytest
from hypothesis import given
from hypothesis import strategies as st

from characters.sheets.steps import Put, Shift
from rolls.rules.errors import NotPossible, OutOfRange, UnknownWord
from rulesets.descriptors.rules.contest import Ask
from rulesets.descriptors.rules.refreshment import refreshed
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


@pytest.mark.parametrize("number", [-1, 10**9, True, "1", float("nan"), 1.0])
def test_will_is_counted_in_whole_points(number):
    for call in ({"will": number, "invoked": 0}, {"will": 5, "invoked": number}):
        with pytest.raises(OutOfRange):
            pay_for_roll(call["will"], invoked=call["invoked"])
    with pytest.raises(OutOfRange):
        pay_for_roll(5, invoked=0, used_against=number)


def test_pools_over_100_dice_are_refused():
    with pytest.raises(OutOfRange):
        pay_pools((Contribution("army", 60, Owner.A), Contribution("navy", 41, Owner.A)), (), will_a=9, will_b=9)
    with pytest.raises(OutOfRange):
        pay_pools((SWORD,) * 101, (), will_a=200, will_b=9)
    with pytest.raises(OutOfRange):
        Contribution("army", 101, Owner.A)
    with pytest.raises(UnknownWord):
        Contribution("army", 1, "nobody")


def sheet(**values):
    return {"will": 9, "start_will": 9, "power_boxes": 6} | values


def test_a_refreshment_scene_frees_the_track_fills_will_and_lets_back_in():
    tired = sheet(will=0, power_1=True, power_6=True, out_of_scene=True)
    assert refreshed(tired, Settings()) == (
        Put("power_1", to=False),
        Put("power_6", to=False),
        Shift("will", 9),
        Put("out_of_scene", to=False),
    )


def test_refreshing_never_takes_will_and_leaves_a_fund_without_end():
    assert refreshed(sheet(will=12, power_2=True), Settings()) == (Put("power_2", to=False),)
    assert refreshed(sheet(will=0, unlimited_will=True), Settings()) == ()
    assert refreshed(sheet(), Settings()) == ()
