import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.forged.rules.downtime import (
    ENTANGLEMENTS,
    Exposure,
    Heat,
    entanglement,
    heat,
    score_heat,
)
from rulesets.forged.rules.roll import Result
from tests.rolls.rules.refusals import NO_BOOLS, NO_WORDS, refused


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
def test_words_are_checked(wrong):
    refused(score_heat, "exposure", wrong)
    refused(lambda value: entanglement(0, value), "result", wrong)


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
@pytest.mark.parametrize("name", ["prominent", "hostile_turf", "war", "killing"])
def test_what_makes_a_score_hotter_is_there_or_not(name, wrong):
    refused(lambda value: score_heat(Exposure.LOUD, **{name: value}), name, wrong)
