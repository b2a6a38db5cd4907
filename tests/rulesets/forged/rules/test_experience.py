import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.experience import BOXES, Marked, Track, advanced, mark
from rulesets.forged.settings import Settings
from tests.rules.refusals import NO_WORDS, refused

STRICT = Settings(xp_rolls_over=False)


def test_six_marks_fill_an_attributes_track_and_eight_the_playbooks():
    assert mark(Track.ATTRIBUTE, 4, 1) == Marked(5, 0)
    assert mark(Track.ATTRIBUTE, 5, 1) == Marked(0, 1)
    assert mark(Track.PLAYBOOK, 6, 1) == Marked(7, 0)
    assert mark(Track.PLAYBOOK, 7, 3) == Marked(2, 1)


def test_a_campaign_may_let_what_is_over_go():
    assert mark(Track.ATTRIBUTE, 5, 10, STRICT) == Marked(0, 1)


@given(st.sampled_from(Track), st.data(), st.integers(0, 100))
def test_no_mark_disappears(track, data, xp):
    boxes = BOXES[track]
    marks = data.draw(st.integers(0, boxes - 1))
    after = mark(track, marks, xp)
    assert 0 <= after.marks < boxes
    assert marks + xp == boxes * after.advances + after.marks


def test_an_advance_is_a_dot_in_an_action_of_the_attribute():
    assert [advanced(dots, Attribute.PROWESS, "wreck") for dots in range(4)] == [1, 2, 3, 4]


@pytest.mark.parametrize("action", ["sway", "dance", ""])
def test_an_advance_stays_in_its_attribute(action):
    with pytest.raises(NotPossible):
        advanced(0, Attribute.PROWESS, action)


def test_four_dots_are_the_most():
    with pytest.raises(NotPossible):
        advanced(4, Attribute.PROWESS, "wreck")


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_are_checked(wrong):
    refused(lambda value: mark(value, 0, 1), "track", wrong)
