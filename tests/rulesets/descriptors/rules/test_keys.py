import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, OutOfRange, UnknownWord
from rulesets.descriptors.rules.keys import (
    XP,
    Change,
    Claim,
    Key,
    KeyKind,
    Level,
    Nature,
    cost,
    cost_from_scratch,
    scene_xp,
)
from rulesets.descriptors.settings import Settings

THEME, VOW = Key("vengeance", KeyKind.DRAMATIC), Key("never lie", KeyKind.MOTIVATION)


def test_each_level_is_worth_what_the_frameworks_say():
    dramatic = {Level.INVOLVED: 1, Level.CHALLENGED: 2, Level.PROGRESSES: 5, Level.BUYOFF: 10}
    motivation = {Level.EXPRESSED: 1, Level.AT_A_PRICE: 3, Level.BUYOFF: 10}
    for key, levels in ((THEME, dramatic), (VOW, motivation)):
        assert {level: scene_xp([Claim(key, level, True)]) for level in levels} == levels


def test_levels_of_keys_add_up_in_a_scene():
    claims = [
        Claim(THEME, Level.INVOLVED, True),
        Claim(THEME, Level.PROGRESSES, True),
        Claim(VOW, Level.AT_A_PRICE, True),
    ]
    assert scene_xp(claims) == 1 + 5 + 3


def test_a_buyoff_is_worth_ten():
    assert scene_xp([Claim(VOW, Level.BUYOFF, True)]) == 10


def test_the_gm_confirms_unless_the_campaign_trusts():
    claim = Claim(THEME, Level.CHALLENGED)
    assert scene_xp([claim]) == 0
    assert scene_xp([claim], Settings(gm_confirms_xp=False)) == 2


def test_a_level_of_one_key_counts_once_and_that_of_another_again():
    once, other = Claim(THEME, Level.INVOLVED, True), Claim(Key("guilt", KeyKind.DRAMATIC), Level.INVOLVED, True)
    assert scene_xp([once, other]) == 2
    with pytest.raises(NotPossible):
        scene_xp([once, once])
    assert scene_xp([once, once], Settings(levels_once_per_scene=False)) == 2
    with pytest.raises(OutOfRange):
        scene_xp([once] * 101)


@pytest.mark.parametrize("level", [level for level in Level if level not in XP[KeyKind.MOTIVATION]] + ["expressed"])
def test_a_kind_of_key_knows_its_own_levels_only(level):
    with pytest.raises(UnknownWord):
        Claim(VOW, level)


@pytest.mark.parametrize("change", [Change.NEW, Change.PROMOTE, Change.RETIRE, Change.NEW_KEY])
def test_a_new_thing_or_a_move_costs_1(change):
    assert cost(change) == 1


@pytest.mark.parametrize("change", [Change.RAISE, Change.LOWER])
def test_raising_and_lowering_cost_the_rating_they_start_from(change):
    assert [cost(change, rating) for rating in (2, 3, 4)] == [2, 3, 4]
    with pytest.raises(OutOfRange):
        cost(change)


def test_a_1d_is_not_lowered_but_retired():
    with pytest.raises(OutOfRange):
        cost(Change.LOWER, 1)
    with pytest.raises(OutOfRange):
        cost(Change.RETIRE, 2)
    assert cost(Change.RETIRE, 1) == 1


@given(st.integers(1, 100))
def test_from_scratch_is_a_new_one_raised_step_by_step(rating):
    assert cost_from_scratch(rating) == cost(Change.NEW) + sum(cost(Change.RAISE, step) for step in range(1, rating))


def test_advances_change_what_is_permanent():
    with pytest.raises(NotPossible):
        cost(Change.RAISE, 2, of=Nature.INJURY)
    assert cost(Change.LOWER, 2, of=Nature.INJURY, settings=Settings(advances_change_temporary=True)) == 2
    for wrong in ({"change": "raise"}, {"change": Change.NEW, "of": "wish"}):
        with pytest.raises(UnknownWord):
            cost(**wrong)
    with pytest.raises(UnknownWord):
        Key("vow", "romantic")


@pytest.mark.parametrize(
    ("change", "ratings"),
    [(Change.NEW, [0, 1]), (Change.PROMOTE, [0, 1]), (Change.NEW_KEY, [0, 1]), (Change.RETIRE, [1])],
)
def test_what_has_no_dice_or_one_costs_1_whichever_is_told(change, ratings):
    assert [cost(change, rating) for rating in ratings] == [1] * len(ratings)
    for wrong in (min(ratings) - 1, 2):
        with pytest.raises(OutOfRange):
            cost(change, wrong)
