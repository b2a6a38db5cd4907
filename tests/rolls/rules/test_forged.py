import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, OutOfRange, RuleError
from rolls.rules.forged_action import Direction, Effect, Position, effect_level, judge, push_cost, trade
from rolls.rules.forged_body import resist, strain
from rolls.rules.forged_consequence import armor
from rolls.rules.forged_downtime import Downtime, Indulged, downtime, vice
from rolls.rules.forged_harm import harm_row
from rolls.rules.forged_heat import Heat, heat
from rolls.rules.forged_roll import Pool, Result, Role, action_pool, fortune_pool, resolve
from rolls.rules.forged_score import engagement, load
from rolls.rules.forged_settings import Settings
from rolls.rules.forged_team import Member, group, improved

faces = st.lists(st.integers(1, 6), min_size=1, max_size=10)


@given(faces.flatmap(lambda dice: st.tuples(st.just(dice), st.permutations(dice))))
def test_the_order_of_the_dice_changes_nothing(pair):
    first, second = (resolve(Pool(len(dice)), iter(dice)) for dice in pair)
    assert (first.value, first.result) == (second.value, second.result)


@given(st.integers(0, 8), st.integers(0, 3), st.lists(st.integers(-100, 100), max_size=20))
def test_stress_never_leaves_its_track(stress, trauma, changes):
    for change in changes:
        after = strain(stress, trauma, change)
        assert 0 <= after.stress <= 8
        assert trauma <= after.trauma <= 4
        if after.retired:
            return
        stress, trauma = after.stress, after.trauma


def test_every_die_has_its_role():
    dice = resolve(Pool(3), iter([6, 2, 6])).dice
    assert [die.role for die in dice] == [Role.KEPT, Role.DROPPED, Role.CRITICAL]


def test_no_dice_are_two_and_the_lowest_and_never_a_critical():
    assert resolve(Pool(0), iter([6, 6])).result is Result.FULL


def test_silas_resists_and_marks_his_armour():
    assert resist(3, iter([5, 2, 1])) == 1
    assert armor(2) == 1
    assert armor(2, 2) == 0
    with pytest.raises(NotPossible):
        armor(2, resisted=True, settings=Settings(armor_with_resistance=False))


def test_the_runner_makes_it_across_by_a_desperate_roll():
    assert trade(Position.RISKY, Effect.LIMITED, Direction.EFFECT) == (Position.DESPERATE, Effect.STANDARD)


def test_effect_beyond_extreme_ticks_on():
    level = effect_level(Effect.EXTREME, more=2)
    assert (level.effect, level.ticks) == (Effect.EXTREME, 6)


def test_a_controlled_miss_falters():
    judged = judge(Position.CONTROLLED, resolve(Pool(1), iter([2])))
    assert (judged.verdict, judged.menu) == ("falter", ("risky opportunity", "withdraw"))


def test_a_set_up_and_a_group():
    assert improved(Position.DESPERATE) is Position.RISKY
    one, two = (Member(resolve(Pool(1), iter([face]))) for face in (1, 5))
    assert group([one, two]) == group([two, one])


def test_around_the_score():
    assert heat(7, 0, 4) == Heat(2, 1, raised=1)
    assert vice(3, 5) == Indulged(0, 3, overindulged=True)
    assert [engagement(result) for result in Result] == [*reversed(Position), None]
    assert [load(items) for items in (0, 4, 6, 9)] == ["light", "normal", "heavy", "encumbered"]
    assert downtime(Downtime.RECOVER, Result.PARTIAL, coin=1) == 3
    assert harm_row({1: 2, 2: 2, 3: 1}, 1) == 4


@pytest.mark.parametrize("wrong", [True, float("nan"), "2", 10**9, -(10**9), None])
def test_only_whole_numbers_in_range_are_taken(wrong):
    for call in (Pool, load, lambda n: strain(n, 0, 0), lambda n: fortune_pool(trait=n), lambda n: heat(n, 0, 0)):
        with pytest.raises(OutOfRange):
            call(wrong)


def test_words_and_choices_are_checked():
    for call in (
        lambda: push_cost(die="yes"),
        lambda: action_pool(rating=1, push=True, bargain=True),
        lambda: action_pool(rating=1, gambit=True),
        lambda: effect_level("huge"),
        lambda: group([]),
    ):
        with pytest.raises(RuleError):
            call()
