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
    why,
)
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.sheet import ATTRIBUTE_MAXIMUM
from tests.answers import refusal
from tests.rules.cast import abilities, difficulties, face_lists, roll

TWICE = {"settings": Settings(tens_count_twice=True)}
SWALLOWS = {"willpower": True, "settings": Settings(willpower_prevents_botch=False)}
READ = [
    # the faces, what is asked beside them, what each die did by the first letters of its role, and what it comes to
    ((3, 3, 8, 7, 10), {}, "bl bl su su su", "complete", 3, 0),  # the example of the text
    ((10, 7, 4, 2, 1), {}, "su ca bl bl CA", "marginal", 1, 0),  # the lowest success is struck out
    ((8, 8, 1), {}, "ca su CA", "marginal", 1, 0),  # among equals the first one
    ((7, 1, 1, 3, 2), {}, "ca CA on bl bl", "failure", 0, 0),
    ((6, 1, 1, 1), {}, "ca CA on on", "failure", 0, 0),  # one that is struck out keeps a roll from botching
    ((1, 4, 1), {}, "on bl on", "serious", 0, 2),
    ((1, 1, 4), {"ability": 5}, "sp on bl", "minor", 0, 1),
    ((1, 7), {"ability": 6}, "CA ca", "failure", 0, 0),  # mastery gives no success back
    ((1, 2), {"ability": 6, "settings": Settings(botch_cancellation=False)}, "on bl", "minor", 0, 1),
    ((1, 5), {"willpower": True}, "on bl", "marginal", 1, 0),
    ((1, 5), SWALLOWS, "on bl", "minor", 0, 1),
    ((1, 5), SWALLOWS | {"ability": 5}, "sp bl", "marginal", 1, 0),
    ((10, 7), TWICE, "su su", "complete", 3, 0),
    ((10, 7, 1), TWICE, "su ca CA", "moderate", 2, 0),
    ((10, 1), TWICE, "ca CA", "failure", 0, 0),
]


@pytest.mark.parametrize(("faces", "asked", "did", "came", "total", "severity"), READ)
def test_a_roll_is_read(faces, asked, did, came, total, severity):
    outcome = roll(*faces, **asked)
    letters = {Role.CANCELS: "CA"}
    assert " ".join(letters.get(die.role, die.role[:2]) for die in outcome.dice) == did
    named = outcome.degree or outcome.severity_name or str(outcome.result)
    assert (named, outcome.total, outcome.severity) == (came, total, severity)
    assert (outcome.result is Result.BOTCH) is bool(severity)


def test_every_die_says_why():
    outcome = roll(9, 7, 1, 3)
    said = [why(die.role, 6) for die in outcome.dice]
    assert all(said) and len({*said}) == 4


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


@pytest.mark.parametrize(
    "asked",
    [
        {"pool": Pool(dots=7, modifier=2, extra_dice=1), "difficulty": 8},
        {"pool": typed_pool(9), "willpower": True},
    ],
)
def test_neither_modifier_nor_burn_dice_nor_willpower_make_an_automatic_success(asked):
    with pytest.raises(NotPossible):
        succeed_automatically(Ask(**asked))


@pytest.mark.parametrize(("field", "value"), [("kind", "frenzy"), ("willpower", 1)])
def test_an_ask_takes_only_words_it_knows(field, value):
    assert refusal(UnknownWord, Ask, pool=typed_pool(3), **{field: value}).field == field


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


def test_every_rating_of_an_attribute_has_a_name_and_none_above():
    assert list(RATING_NAMES) == list(range(ATTRIBUTE_MAXIMUM + 1))
