from collections import Counter
from fractions import Fraction
from itertools import pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible, OutOfRange
from rulesets.forged.rules import Pool, Result, Role, Settings, action_pool, fortune_pool, resolve, why
from tests.rules.refusals import NO_BOOLS, refused

ORDER = list(Result)
faces = st.lists(st.integers(1, 6), min_size=1, max_size=20)


def chances(pool):
    """Return the chance of every result, from every way the dice can fall."""
    asked = Pool(pool)
    ways = Counter(resolve(asked, iter(way)).result for way in product(range(1, 7), repeat=asked.rolled))
    return [Fraction(ways[result], 6**asked.rolled) for result in Result]


@given(faces.flatmap(lambda dice: st.tuples(st.just(dice), st.permutations(dice))))
def test_the_order_of_the_dice_changes_nothing(pair):
    first, second = (resolve(Pool(len(dice)), iter(dice)) for dice in pair)
    assert (first.value, first.result) == (second.value, second.result)
    assert Counter(first.dice) == Counter(second.dice)


@given(faces)
def test_every_die_keeps_its_face_and_its_role(dice):
    outcome = resolve(Pool(len(dice)), iter(dice))
    assert [die.face for die in outcome.dice] == dice
    (kept,) = (die for die in outcome.dice if die.role is Role.KEPT)
    assert kept.face == outcome.value == max(dice)
    assert any(die.role is Role.CRITICAL for die in outcome.dice) == (outcome.result is Result.CRITICAL)


def test_two_sixes_are_a_critical_and_say_so():
    pool = Pool(3)
    roles = [die.role for die in resolve(pool, iter([6, 2, 6])).dice]
    assert roles == [Role.KEPT, Role.DROPPED, Role.CRITICAL]
    assert [why(role, pool) for role in roles] == ["the highest", "not the highest", "another 6: critical"]


@pytest.mark.parametrize("pool", [0, -1, -100])
def test_a_pool_of_nothing_rolls_two_keeps_the_lowest_and_is_never_a_critical(pool):
    assert resolve(Pool(pool), iter([6, 6])).result is Result.FULL
    outcome = resolve(Pool(pool), iter([6, 3]))
    assert (outcome.value, why(outcome.dice[1].role, outcome.pool)) == (3, "the lowest of two")


def test_a_better_pool_never_makes_a_worse_result_likelier():
    table = [chances(pool) for pool in range(-1, 6)]
    for worse, better in pairwise(table):
        for least in range(1, len(ORDER)):
            assert sum(better[least:]) >= sum(worse[least:])


@given(faces, st.integers(1, 6))
def test_one_more_die_never_makes_a_roll_worse(dice, another):
    fewer, more = resolve(Pool(len(dice)), iter(dice)), resolve(Pool(len(dice) + 1), iter([*dice, another]))
    assert ORDER.index(more.result) >= ORDER.index(fewer.result)


@given(
    st.integers(0, 4),
    st.integers(0, 1),
    st.sampled_from(["none", "push", "bargain"]),
    st.booleans(),
    st.booleans(),
)
def test_bonus_dice_add_up(rating, assists, second, gambit, harmed):
    pool = action_pool(
        rating=rating,
        assists=assists,
        push=second == "push",
        bargain=second == "bargain",
        gambit=gambit,
        level2_harm=harmed,
        settings=Settings(gambits=True),
    )
    assert pool.dice == rating + assists + (second != "none") + gambit - harmed


def test_the_second_die_is_a_push_or_a_bargain():
    with pytest.raises(NotPossible):
        action_pool(rating=1, push=True, bargain=True)


def test_one_helper_unless_the_campaign_allows_more_and_no_gambits_unless_it_has_them():
    refused(lambda helpers: action_pool(rating=1, assists=helpers), "assists", 2)
    with pytest.raises(NotPossible):
        action_pool(rating=1, gambit=True)


def test_a_fortune_pool_counts_what_speaks_for_and_against():
    assert fortune_pool().dice == 1
    assert fortune_pool(trait=2, advantages=2, disadvantages=1).dice == 3
    assert fortune_pool(trait=1, disadvantages=2).lowest


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
def test_a_bonus_die_is_there_or_not(wrong):
    refused(lambda value: action_pool(rating=1, push=value), "push_die", wrong)
    refused(lambda value: action_pool(rating=1, bargain=value), "bargain", wrong)
    refused(lambda value: action_pool(rating=1, gambit=value), "gambit", wrong)
    refused(lambda value: action_pool(rating=1, level2_harm=value), "level2_harm", wrong)


def test_a_pool_far_too_large_is_refused_before_a_face_is_taken():
    def faces():
        raise AssertionError("a face was taken")
        yield 1

    with pytest.raises(OutOfRange):
        resolve(Pool(10**9), faces())


def test_too_few_faces_are_no_roll():
    with pytest.raises(NotPossible):
        resolve(Pool(2), iter([5]))
