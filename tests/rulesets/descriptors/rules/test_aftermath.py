import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import OutOfRange
from rulesets.descriptors.rules.contest_stage import falls_on
from rulesets.descriptors.rules.will import Fund
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.sheet import MOST_DICE

tracks = st.integers(1, 12).flatmap(
    lambda boxes: st.builds(
        lambda crossed: Fund(will=9, boxes=boxes, crossed=tuple(sorted(crossed))), st.frozensets(st.integers(1, boxes))
    )
)


def fall(successes, crossed=(), boxes=6, **decided):
    falls = falls_on(Fund(will=9, boxes=boxes, crossed=tuple(crossed)), successes, Settings(**decided))
    return falls.box, falls.injury, falls.out, falls.instead, falls.gone


def test_a_free_box_is_crossed_off_or_replaced_by_an_injury():
    assert fall(2) == (2, 0, False, 2, None)


def test_a_crossed_box_bumps_to_the_next_free_one_and_injures():
    assert fall(2, [2, 3]) == (4, 4, False, 0, 2)


def test_a_bump_leaves_no_choice_unless_the_campaign_says_so():
    assert fall(2, [2]) == (3, 3, False, 0, 2)
    assert fall(2, [2], injury_instead_of_bump=True) == (3, 3, False, 2, 2)


def test_the_last_box_puts_out_of_the_scene_however_it_is_reached():
    assert fall(6) == (6, 0, True, 6, None)
    assert fall(5, [5]) == (6, 6, True, 0, 5)


def test_more_successes_than_boxes_hit_the_last_one():
    assert fall(9) == (6, 0, True, 9, None)
    assert fall(9, excess_may_be_injury=False) == (6, 0, True, 0, None)
    assert fall(6, excess_may_be_injury=False) == (6, 0, True, 6, None)


def test_without_a_free_box_there_is_an_injury_of_the_last_and_the_end_of_the_scene():
    assert fall(4, [4, 5, 6]) == (None, 6, True, 0, 4)
    assert fall(6, [6], full_track_puts_out=False) == (None, 6, False, 0, 6)


def test_a_last_box_crossed_before_puts_nobody_out_again():
    assert fall(2, [6]) == (2, 0, False, 2, None)


def test_an_injury_on_a_sheet_has_20_dice_at_most():
    assert fall(100)[3] == MOST_DICE


@given(tracks, st.integers(1, 100))
def test_a_higher_free_box_goes_or_there_is_an_injury(fund, successes):
    falls = falls_on(fund, successes, Settings())
    assert falls.box is None or (falls.box not in fund.crossed and falls.box >= min(successes, fund.boxes))
    assert falls.box is not None or falls.injury == min(fund.boxes, MOST_DICE)
    assert falls.out == (falls.box in (None, fund.boxes))
    assert bool(falls.injury) == (falls.gone is not None)


@pytest.mark.parametrize("successes", [0, -1, 101, 10**9, True, "2", float("nan")])
def test_nothing_happens_without_sane_successes(successes):
    with pytest.raises(OutOfRange):
        fall(successes)
