from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible, OutOfRange, UnknownWord
from rulesets.storyteller.rules.roll import (
    DIFFICULTY_NAMES,
    HIGHEST_DIFFICULTY,
    LOWEST_DIFFICULTY,
    RATING_NAMES,
    Ask,
    Kind,
    Pool,
    Result,
    Role,
    degree,
    mastery,
    resolve,
    severity_name,
    succeed_automatically,
    typed_pool,
)
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import ATTRIBUTE_MAXIMUM
from tests.rules.cast import abilities, difficulties, face_lists, roll


def roles(*faces, **ask):
    return [(die.face, die.role) for die in roll(*faces, **ask).dice]


def test_the_example_of_the_text_scores_three_successes():
    outcome = roll(3, 3, 8, 7, 10)
    assert (outcome.total, outcome.degree) == (3, "complete")


def test_a_1_strikes_out_the_lowest_success():
    assert roles(10, 7, 4, 2, 1) == [
        (10, Role.SUCCESS),
        (7, Role.CANCELLED),
        (4, Role.BLANK),
        (2, Role.BLANK),
        (1, Role.CANCELS),
    ]


def test_among_equal_successes_the_first_is_struck_out():
    assert roles(8, 8, 1) == [(8, Role.CANCELLED), (8, Role.SUCCESS), (1, Role.CANCELS)]


def test_a_1_with_nothing_left_to_strike_stands_as_a_1():
    assert roles(7, 1, 1, 3, 2) == [
        (7, Role.CANCELLED),
        (1, Role.CANCELS),
        (1, Role.ONE),
        (3, Role.BLANK),
        (2, Role.BLANK),
    ]


def test_every_die_says_why():
    outcome = roll(9, 7, 1, 3)
    assert all(die.why for die in outcome.dice) and len({die.why for die in outcome.dice}) == 4


def test_a_success_struck_out_still_keeps_a_roll_from_botching():
    outcome = roll(6, 1, 1, 1)
    assert (outcome.result, outcome.total, outcome.severity) == (Result.FAILURE, 0, 0)


def test_1s_alone_are_a_botch_as_bad_as_they_are_many():
    outcome = roll(1, 4, 1)
    assert (outcome.result, outcome.severity, outcome.severity_name) == (Result.BOTCH, 2, "serious")


@pytest.mark.parametrize(("severity", "name"), [(0, ""), (1, "minor"), (5, "catastrophic"), (12, "catastrophic")])
def test_the_last_name_of_a_botch_serves_for_all_above(severity, name):
    assert severity_name(severity) == name


@pytest.mark.parametrize(
    ("total", "name"),
    [(0, ""), (1, "marginal"), (2, "moderate"), (4, "exceptional"), (5, "phenomenal"), (9, "phenomenal")],
)
def test_degrees_have_their_names(total, name):
    assert degree(total) == name


@pytest.mark.parametrize(("ability", "spared"), [(0, 0), (4, 0), (5, 1), (6, 2), (7, 2), (100, 2)])
def test_a_mastered_ability_takes_1s_out_of_a_botch(ability, spared):
    assert mastery(ability) == spared


def test_1s_taken_out_of_a_botch_are_named_and_those_left_still_botch():
    outcome = roll(1, 1, 4, ability=5)
    assert [die.role for die in outcome.dice] == [Role.SPARED, Role.ONE, Role.BLANK]
    assert (outcome.result, outcome.severity) == (Result.BOTCH, 1)


def test_mastery_gives_no_success_back():
    outcome = roll(1, 7, ability=6)
    assert (outcome.total, [die.role for die in outcome.dice]) == (0, [Role.CANCELS, Role.CANCELLED])


def test_a_campaign_may_do_without_botch_cancellation():
    assert roll(1, 2, ability=6, settings=Settings(botch_cancellation=False)).result is Result.BOTCH


def test_willpower_keeps_the_dice_from_botching():
    outcome = roll(1, 5, willpower=True)
    assert (outcome.result, outcome.total) == (Result.SUCCESS, 1)
    assert outcome.dice[0].role is Role.ONE


def test_a_campaign_may_let_a_botch_swallow_the_willpower():
    outcome = roll(1, 5, willpower=True, settings=Settings(willpower_prevents_botch=False))
    assert (outcome.result, outcome.total) == (Result.BOTCH, 0)


def test_where_mastery_ends_the_botch_the_willpower_counts():
    outcome = roll(1, 5, ability=5, willpower=True, settings=Settings(willpower_prevents_botch=False))
    assert (outcome.result, outcome.total) == (Result.SUCCESS, 1)


def test_a_campaign_may_count_standing_tens_twice():
    twice = Settings(tens_count_twice=True)
    assert roll(10, 7, settings=twice).total == 3
    assert roll(10, 7, 1, settings=twice).total == 2
    assert roll(10, 1, settings=twice).total == 0


def reached(outcome):
    return sum(die.role in (Role.SUCCESS, Role.CANCELLED) for die in outcome.dice)


@given(face_lists, difficulties, abilities, st.booleans(), st.randoms())
def test_the_order_of_the_dice_changes_nothing(faces, difficulty, ability, willpower, random):
    shuffled = random.sample(faces, len(faces))
    one, other = (
        asdict(roll(*dice, difficulty=difficulty, ability=ability, willpower=willpower)) for dice in (faces, shuffled)
    )
    by_face = [sorted((die["face"], die["role"]) for die in outcome.pop("dice")) for outcome in (one, other)]
    assert one == other
    assert by_face[0] == by_face[1]


@given(face_lists, st.integers(2, 9), abilities, st.booleans(), st.booleans())
def test_a_worse_difficulty_never_gives_more(faces, difficulty, ability, willpower, twice):
    settings = Settings(tens_count_twice=twice)
    easier, harder = (
        roll(*faces, difficulty=d, ability=ability, willpower=willpower, settings=settings)
        for d in (difficulty, difficulty + 1)
    )
    assert harder.total <= easier.total
    assert reached(harder) <= reached(easier)
    assert easier.result is not Result.BOTCH or harder.result is Result.BOTCH


@given(face_lists, difficulties, abilities, st.booleans())
def test_the_counts_are_those_of_the_dice(faces, difficulty, ability, willpower):
    outcome = roll(*faces, difficulty=difficulty, ability=ability, willpower=willpower)
    count = [die.role for die in outcome.dice].count
    assert outcome.faces == tuple(faces)
    assert count(Role.CANCELLED) == count(Role.CANCELS) == min(reached(outcome), faces.count(1))
    assert reached(outcome) == sum(face >= difficulty for face in faces)
    assert outcome.total == count(Role.SUCCESS) + (willpower and outcome.result is not Result.BOTCH)
    assert (outcome.result is Result.SUCCESS) == (outcome.total > 0) == bool(outcome.degree)
    assert (outcome.result is Result.BOTCH) == (outcome.severity > 0) == bool(outcome.severity_name)


def test_as_many_dots_as_the_difficulty_need_no_roll():
    outcome = succeed_automatically(Ask(pool=typed_pool(8), difficulty=8))
    assert (outcome.dice, outcome.total, outcome.degree) == ((), 1, "marginal")


def test_neither_modifier_nor_burn_dice_count_for_an_automatic_success():
    pool = Pool(dots=7, modifier=2, extra_dice=1)
    with pytest.raises(NotPossible):
        succeed_automatically(Ask(pool=pool, difficulty=8))


def test_no_willpower_is_added_to_an_automatic_success():
    with pytest.raises(NotPossible):
        succeed_automatically(Ask(pool=typed_pool(9), difficulty=6, willpower=True))


@pytest.mark.parametrize(("field", "value"), [("kind", "frenzy"), ("willpower", 1)])
def test_an_ask_takes_only_words_it_knows(field, value):
    with pytest.raises(UnknownWord) as refused:
        Ask(pool=typed_pool(3), **{field: value})
    assert refused.value.field == field


@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.ACTION])
def test_burn_dice_wait_for_an_action_roll(kind):
    with pytest.raises(NotPossible):
        Ask(pool=typed_pool(3, extra_dice=1), kind=kind)


def test_a_roll_takes_its_own_dice_and_leaves_the_rest():
    faces = iter([6, 6, 6, 6])
    resolve(Ask(pool=typed_pool(3)), faces)
    assert list(faces) == [6]


@pytest.mark.parametrize("kind", Kind)
def test_without_burn_dice_every_kind_of_roll_is_read_alike(kind):
    outcome, action = (resolve(Ask(pool=typed_pool(3), kind=k), iter([9, 1, 4])) for k in (kind, Kind.ACTION))
    assert outcome.dice == action.dice


def test_burn_dice_are_rolled_with_an_action():
    assert len(resolve(Ask(pool=typed_pool(3, extra_dice=1)), iter([6] * 9)).dice) == 4
    assert len(resolve(Ask(pool=typed_pool(3, extra_dice=-1)), iter([6] * 9)).dice) == 2


def test_difficulties_have_names_but_the_two_at_the_ends_and_the_usual_one_is_standard():
    assert list(DIFFICULTY_NAMES) == list(range(LOWEST_DIFFICULTY + 1, HIGHEST_DIFFICULTY))
    assert DIFFICULTY_NAMES[Ask(pool=typed_pool(1)).difficulty] == "standard"


def test_modifier_and_burn_dice_come_on_top():
    pool = Pool(dots=5, modifier=-2, extra_dice=1)
    assert (pool.dots, pool.dice) == (5, 4)


@given(st.integers(1, 11), st.integers(-100, 0), st.integers(-100, 0), st.integers(0, 10))
def test_nothing_takes_the_last_die(dots, modifier, extra_dice, wounds):
    assert Pool(dots=dots, modifier=modifier, extra_dice=extra_dice, wounds=wounds).dice >= 1


@pytest.mark.parametrize("modifier", [0, 1, 5])
def test_no_dots_are_no_pool_whatever_is_added(modifier):
    with pytest.raises(NotPossible):
        Pool(dots=0, modifier=modifier, extra_dice=1)


def test_burn_dice_cannot_lift_a_pool_over_100():
    assert typed_pool(100).dice == 100
    with pytest.raises(OutOfRange):
        typed_pool(100, extra_dice=1)


def test_more_than_ten_dice_are_beyond_a_human_and_still_rolled():
    assert not typed_pool(10).is_beyond_human
    assert typed_pool(11).is_beyond_human


def test_every_rating_of_an_attribute_has_a_name_and_none_above():
    assert list(RATING_NAMES) == list(range(ATTRIBUTE_MAXIMUM + 1))
