import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import OutOfRange, UnknownWord
from rulesets.descriptors.rules.contest import Role, Side, oppose, resolve, why
from rulesets.descriptors.settings import Settings

pools = st.lists(st.integers(1, 10), max_size=12)
# Few faces, so that ties happen.
tied_pools = st.lists(st.integers(1, 3), max_size=6)


def test_equal_pairs_are_ignored_and_never_count():
    outcome = oppose([2, 8, 7], [8, 3])
    assert (outcome.winner, outcome.successes, outcome.target_number, outcome.ignored_pairs) == (Side.A, 1, 3, 1)
    assert [(die.rank, die.role) for die in outcome.a] == [(2, Role.BELOW), (0, Role.IGNORED), (1, Role.SUCCESS)]


def test_a_side_without_dice_loses_by_size_or_is_refused():
    assert (oppose([], [1]).winner, oppose([], [1]).successes) == (Side.B, 1)
    with pytest.raises(OutOfRange):
        oppose([], [1], Settings(fewest_dice=1))
    with pytest.raises(OutOfRange):
        resolve(0, 1, iter([1]), Settings(fewest_dice=1))


def test_a_roll_takes_the_dice_of_side_a_first():
    outcome = resolve(2, 1, iter([3, 9, 4]))
    assert ([die.face for die in outcome.a], [die.face for die in outcome.dice(Side.B)]) == ([3, 9], [4])
    assert resolve(0, 0, iter([])).winner is None


@given(st.one_of(st.tuples(pools, pools), st.tuples(tied_pools, tied_pools)))
def test_exchanging_the_sides_exchanges_the_result(sides):
    a, b = sides
    there, back = oppose(a, b), oppose(b, a)
    assert back.winner == (there.winner.other if there.winner else None)
    assert (back.a, back.b) == (there.b, there.a)
    assert (back.successes, back.target_number, back.ignored_pairs) == (
        there.successes,
        there.target_number,
        there.ignored_pairs,
    )


@given(tied_pools, tied_pools, st.data())
def test_the_order_of_the_dice_changes_nothing(a, b, data):
    one, other = oppose(a, b), oppose(data.draw(st.permutations(a)), data.draw(st.permutations(b)))
    for name in ("winner", "successes", "target_number", "ignored_pairs"):
        assert getattr(one, name) == getattr(other, name)
    for side in Side:
        assert sorted((die.rank, die.face, die.role) for die in one.dice(side)) == sorted(
            (die.rank, die.face, die.role) for die in other.dice(side)
        )


@given(tied_pools, tied_pools)
def test_the_walk_down_the_pairs_gives_the_same(a, b):
    """This is the rule as the text tells it, one pair after the other."""
    left, right = sorted(a), sorted(b)
    while left and right and left[-1] == right[-1]:
        left.pop(), right.pop()
    outcome = oppose(a, b)
    if left and right:
        wins, target = (left, right[-1]) if left[-1] > right[-1] else (right, left[-1])
        assert outcome.winner is (Side.A if wins is left else Side.B)
        assert (outcome.target_number, outcome.successes) == (target, sum(face > target for face in wins))
    else:
        assert outcome.winner is (Side.A if left else Side.B if right else None)
        assert outcome.successes == bool(left or right)


@given(tied_pools, tied_pools)
def test_the_roles_of_the_dice_tell_the_result(a, b):
    outcome = oppose(a, b)
    roles = [die.role for side in Side for die in outcome.dice(side)]
    assert roles.count(Role.IGNORED) == 2 * outcome.ignored_pairs
    assert roles.count(Role.TARGET) == (outcome.target_number is not None)
    if outcome.winner is None or outcome.target_number:
        assert roles.count(Role.SUCCESS) == outcome.successes
    for side in Side:
        wins = side is outcome.winner
        assert all(str(why(die.role, die.face, outcome.target_number, wins=wins)) for die in outcome.dice(side))


@pytest.mark.parametrize(
    "pool", [[1] * 101, [0], [11], [True], [float("nan")], ["7"], [None], "77", None, range(10**9), 10**9]
)
def test_what_is_no_pool_is_refused(pool):
    with pytest.raises(OutOfRange):
        oppose(pool, [5])
    with pytest.raises(OutOfRange):
        oppose([5], pool)


def test_a_switch_of_the_settings_is_on_or_off():
    with pytest.raises(UnknownWord):
        Settings(gains_pay=1)


def test_a_campaign_may_roll_other_dice():
    assert oppose([20], [12], Settings(sides=20)).winner is Side.A
    with pytest.raises(OutOfRange):
        oppose([7], [1], Settings(sides=6))
