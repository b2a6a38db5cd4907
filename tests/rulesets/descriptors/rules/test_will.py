import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible
from rulesets.descriptors.rules.contest import UNLIMITED, check_once, pay_for_roll, spend
from rulesets.descriptors.settings import Settings


def test_a_descriptor_serves_one_pool_once():
    check_once([(True, "sword"), (False, "sword"), (True, "smoke")])
    with pytest.raises(NotPossible):
        check_once([(True, "sword"), (False, "smoke"), (True, "sword")])


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
