import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, RuleError
from rulesets.forged.rules.body import Attribute, rating_of
from rulesets.forged.rules.experience import BOXES, Marked, Track, advance, mark
from rulesets.forged.settings import Settings
from tests.rolls.rules.refusals import NO_WORDS, refused

STRICT = Settings(xp_rolls_over=False)


def test_six_marks_fill_an_attributes_track_and_eight_the_playbooks():
    assert mark(Track.ATTRIBUTE, 4, 1) == Marked(5, 0)
    assert mark(Track.ATTRIBUTE, 5, 1) == Marked(0, 1)
    assert mark(Track.PLAYBOOK, 6, 1) == Marked(7, 0)
    assert mark(Track.PLAYBOOK, 7, 3) == Marked(2, 1)


def test_a_campaign_may_let_what_is_over_go():
    assert mark(Track.ATTRIBUTE, 5, 10, STRICT) == Marked(0, 1, lost=9)


@given(st.sampled_from(Track), st.data(), st.integers(0, 100), st.sampled_from([Settings(), STRICT]))
def test_no_mark_disappears_unsaid(track, data, xp, settings):
    boxes = BOXES[track]
    marks = data.draw(st.integers(0, boxes - 1))
    after = mark(track, marks, xp, settings)
    assert 0 <= after.marks < boxes
    assert marks + xp == boxes * after.advances + after.marks + after.lost


def test_an_advance_is_a_dot_in_an_action_of_the_attribute():
    before = {"prowl": 2}
    after = advance(before, Attribute.PROWESS, "wreck")
    assert (dict(after), before) == ({"prowl": 2, "wreck": 1}, {"prowl": 2})
    assert rating_of(Attribute.PROWESS, after) == 2


@pytest.mark.parametrize("action", ["sway", "dance", "", None, 1])
def test_an_advance_stays_in_its_attribute(action):
    with pytest.raises(NotPossible):
        advance({}, Attribute.PROWESS, action)


def test_four_dots_are_the_most():
    with pytest.raises(NotPossible):
        advance({"wreck": 4}, Attribute.PROWESS, "wreck")


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_are_checked(wrong):
    refused(lambda value: mark(value, 0, 1), "track", wrong)
    refused(lambda value: advance({}, value, "wreck"), "attribute", wrong)


def test_ratings_are_dots_by_action():
    with pytest.raises(RuleError):
        advance(None, Attribute.PROWESS, "wreck")
