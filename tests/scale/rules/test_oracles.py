from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import UnknownWord
from scale.rules.oracles import (
    GRACE,
    GRACE_SHIFT,
    REASON,
    STARTED_WITH,
    TROUBLE,
    TROUBLE_SHIFT,
    Entry,
    figure,
    major_burn,
)
from scale.rules.scale import BurnKind

STORIES = ["the debt", None, "the hunter"]


def burn(kind, *faces, stories=STORIES):
    return major_burn(kind, stories, iter(faces))


def test_a_storyline_and_a_result_need_two_dice():
    told = burn(BurnKind.TROUBLE, 3, 2)
    assert (told.slot, told.story, told.reason, told.second) == (3, "the hunter", None, None)
    assert (told.result.face, told.result.entry.title) == (2, "Frenzy")


@pytest.mark.parametrize("story_face", [2, 4, 9, 10])
def test_an_empty_place_and_the_tenth_are_something_new_with_a_reason(story_face):
    told = burn(BurnKind.GRACE, story_face, 4, 1)
    assert (told.story_face, told.slot, told.story) == (story_face, None, None)
    assert (told.reason.entry.title, told.result.entry.title) == ("Sire", "Insight")


def test_a_shift_rolls_a_second_result_on_its_own_table():
    assert burn(BurnKind.GRACE, 1, 8, 9).second.entry.title == "Powerful"
    assert burn(BurnKind.TROUBLE, 1, 8, 9).second.entry.title == "Threat"


@given(st.sampled_from(BurnKind), st.lists(st.integers(1, 10), min_size=4, max_size=4))
def test_a_consultation_takes_two_to_four_dice(kind, faces):
    dice = iter(faces)
    told = major_burn(kind, STORIES, dice)
    assert len(faces) - len(list(dice)) == 2 + bool(told.reason) + bool(told.second)


def test_the_tables_of_a_campaign_are_asked():
    ours = (Entry("Storm", "It rains."), *TROUBLE[1:])
    told = major_burn(BurnKind.TROUBLE, STORIES, iter([1, 1]), {**STARTED_WITH, "trouble": ours})
    assert told.result.entry.text == "It rains."


def test_an_unknown_kind_is_refused():
    with pytest.raises(UnknownWord):
        burn("luck", 1, 1)


def titles(table):
    return [entry.title for entry in table]


def test_the_oracles_hold_their_results_where_the_game_puts_them():
    assert titles(TROUBLE) == ["Trauma", "Frenzy", "Hurt", "Undermined", "Broken", *["Threat"] * 2, *["Shift"] * 3]
    assert titles(GRACE) == ["Insight", "Vigor", *["Advantage"] * 2, *["Found"] * 2, "Powerful", *["Shift"] * 3]
    assert Counter(titles(TROUBLE_SHIFT)) == {"Trauma": 2, "Frenzy": 1, "Hurt": 2, "Broken": 2, "Threat": 3}
    assert Counter(titles(GRACE_SHIFT)) == dict.fromkeys(["Insight", "Vigor", "Advantage", "Found", "Powerful"], 2)
    assert titles(REASON)[2:5] == ["Demeanor", "Sire", "Clan"]


def test_exactly_the_shifts_ask_for_a_second_die():
    for table in (TROUBLE, GRACE):
        assert [entry.shift for entry in table] == [False] * 7 + [True] * 3


def test_no_two_entries_share_their_text():
    entries = [*GRACE, *TROUBLE, *GRACE_SHIFT, *TROUBLE_SHIFT, *REASON]
    assert len({entry.text for entry in entries}) == 50


def test_a_second_result_does_not_shift_again():
    told = major_burn(BurnKind.GRACE, STORIES, iter([1, 8, 9]), {**STARTED_WITH, "grace_shift": GRACE})
    assert told.second.entry.shift and told.second.face == 9


def test_every_result_but_a_shift_does_something():
    """The game's public page on its oracles: "Hurt" is 6 damage, a d10 says which kind."""
    for kind, tables in ((BurnKind.GRACE, (GRACE, GRACE_SHIFT)), (BurnKind.TROUBLE, (TROUBLE, TROUBLE_SHIFT))):
        assert all(bool(figure(kind, entry.title)) != entry.shift for table in tables for entry in table)
    assert figure(BurnKind.TROUBLE, "Hurt").startswith("6 damage")
    assert figure(BurnKind.TROUBLE, "A title of the table’s own") == ""
