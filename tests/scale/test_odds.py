from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from rules.errors import OutOfRange, RuleError, UnknownWord
from rulesets.storyteller.odds import joint
from scale.odds import Policy, Share, crossing, next_major
from scale.rules import scale
from scale.rules.scale import Answer, BurnKind, Reached, State, answer, step, tally
from tests.rules.cast import read, roll, share

COUNT_ALL = scale.Settings(cancelled_ones_count=True)
FIVE_AT_SIX = [share(1, 5, 6)]


def by_walking(state, mixture, policy):
    """Follow every path in floats until hardly any is left: the chances of Grace and Trouble, and the mean length."""
    weight = sum(one.weight for one in mixture)
    deltas = Counter()
    for one in mixture:
        total = sum(ways for _, ways in one.shifts)
        for delta, ways in one.shifts:
            deltas[delta] += one.weight / weight * ways / total

    @cache
    def moves(state):
        targets = Counter()
        for delta, chance in deltas.items():
            moved = step(state, delta)
            after = moved.fires[0].kind if moved.event is Reached.MAJOR else moved.after
            if policy is Policy.TAKE and moved.after.pending:
                after = answer(after, Answer.ACCEPT).after
            targets[after] += chance
        return targets

    here, ends, length = {state: 1.0}, Counter(), 0.0
    while sum(here.values()) > 1e-10:
        length += sum(here.values())
        there = Counter()
        for state, chance in here.items():
            for after, part in moves(state).items():
                (ends if isinstance(after, BurnKind) else there)[after] += chance * part
        here = there
    return ends, length


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize(
    "state", [State(), State(scale=-6, banked=BurnKind.TROUBLE), State(scale=5, banked=BurnKind.GRACE)]
)
def test_the_chain_agrees_with_walking_every_path(policy, state):
    mixture = [share(3, 14, 6), share(1, 20, 8), share(2, 12, 4)]
    exact = next_major(state, mixture, policy)
    ends, length = by_walking(state, mixture, policy)
    assert float(exact.grace) == pytest.approx(ends[BurnKind.GRACE], abs=1e-8)
    assert float(exact.rolls) == pytest.approx(length, rel=1e-6)
    assert exact.ever == 1


STATES = [
    State(),
    State(scale=2),
    State(scale=-2, banked=BurnKind.GRACE),
    State(scale=4, pending=BurnKind.GRACE),
    State(scale=-5, pending=BurnKind.TROUBLE),
    State(scale=7, banked=BurnKind.TROUBLE, die_modifier=2),
    State(scale=-7),
]


@cache
def deltas_of_every_roll(rules):
    """Return the deltas of all 10**4 rolls of four dice at a difficulty of 7, read by the rules themselves."""
    return Counter(read(roll(*faces, difficulty=7), rules).delta for faces in product(range(1, 11), repeat=4))


@pytest.mark.parametrize("rules", [scale.DEFAULTS, scale.Settings(cancelled_ones_count=True, staying_is_reaching=True)])
@pytest.mark.parametrize("state", STATES)
def test_what_one_roll_sets_off_is_that_of_every_roll(state, rules):
    ways = Counter()
    for delta, count in deltas_of_every_roll(rules).items():
        moved = step(state, delta, rules)
        ways[moved.event, moved.after.pending] += count
        ways["major", moved.fires[0].kind if moved.event is Reached.MAJOR else None] += count
    odds = crossing(joint(4, 7, tally=tally(rules)).deltas(), state, rules)
    for kind in BurnKind:
        assert odds.offers[kind] * 10**4 == ways[Reached.OFFER, kind]
        assert odds.majors[kind] * 10**4 == ways["major", kind]
    assert odds.both * 10**4 == ways[Reached.BOTH, None]
    assert (1 - odds.any) * 10**4 == ways[None, None]


def test_one_roll_from_0_reaches_a_burn_as_often_as_known():
    odds = crossing(joint(5, 6).deltas(), State())
    assert odds.any == odds.offer == Fraction(13971, 100000)
    assert odds.offers[BurnKind.GRACE] > odds.offers[BurnKind.TROUBLE] > 0


def test_with_a_burn_in_the_bank_nothing_is_offered():
    odds = crossing(joint(8, 6).deltas(), State(scale=-2, banked=BurnKind.GRACE))
    assert (odds.offer, odds.majors[BurnKind.GRACE]) == (0, 0)
    assert min(odds.both, odds.major) > 0
    assert odds.any == odds.both + odds.major


OFFERED, TWO = State(scale=3, pending=BurnKind.GRACE), State(scale=2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # The walk above leaves offers open where the chain banks them: the next roll banks them anyway.
        pytest.param(
            (OFFERED, FIVE_AT_SIX, Policy.BANK),
            (State(scale=3, banked=BurnKind.GRACE), FIVE_AT_SIX, Policy.BANK),
            id="an offer banks itself when nobody answers",
        ),
        pytest.param(
            (OFFERED, [share(1, 8, 6)], Policy.TAKE),
            (State(), [share(1, 8, 6)], Policy.TAKE),
            id="an offer that is taken starts from 0",
        ),
        pytest.param(
            (TWO, FIVE_AT_SIX, Policy.BANK),
            (State(scale=2, die_modifier=3, free_activations=1), FIVE_AT_SIX, Policy.BANK),
            id="what a burn left on a character changes nothing",
        ),
        pytest.param(
            (State(), [share(1, 5, 6), share(2, 7, 7)], Policy.BANK),
            (State(), [share(50, 5, 6), share(100, 7, 7)], Policy.BANK),
            id="only the proportions of a mixture matter",
        ),
    ],
)
def test_what_makes_no_difference(one, other):
    assert next_major(*one) == next_major(*other)


def test_skipped_1s_make_grace_far_likelier_than_trouble():
    assert next_major(State(), FIVE_AT_SIX, Policy.BANK).grace > Fraction(9, 10)


@pytest.mark.parametrize("policy", Policy)
def test_where_every_1_counts_grace_and_trouble_are_even(policy):
    assert next_major(
        State(), [share(2, 8, 6, COUNT_ALL), share(1, 9, 3, COUNT_ALL)], policy, COUNT_ALL
    ).grace == Fraction(1, 2)


def test_a_single_die_has_no_drift():
    assert next_major(State(), [share(1, 1, 6)], Policy.BANK).grace == Fraction(1, 2)


def test_a_small_pool_whose_offers_are_all_taken_never_comes_to_a_major_burn():
    never = next_major(State(), FIVE_AT_SIX, Policy.TAKE)
    assert (never.ever, never.grace, never.rolls) == (0, None, None)


def test_from_near_the_end_such_a_pool_may_still_come_to_one():
    close = next_major(State(scale=7, banked=BurnKind.GRACE), FIVE_AT_SIX, Policy.TAKE)
    assert 0 < close.ever < 1
    assert close.rolls is None
    assert close.grace > Fraction(99, 100)


ONE_WAY = ((0, 1),)


@pytest.mark.parametrize(
    ("mixture", "policy", "why"),
    [
        ([Share(0, ONE_WAY)], Policy.BANK, RuleError),
        ([Share(True, ONE_WAY)], Policy.BANK, RuleError),
        ([Share(1.0, ONE_WAY)], Policy.BANK, RuleError),
        ([Share(1, ())], Policy.BANK, RuleError),
        ([Share(1, ((0, 0),))], Policy.BANK, RuleError),
        ([], Policy.BANK, OutOfRange),
        (FIVE_AT_SIX, "decline", UnknownWord),
    ],
)
def test_shares_outside_their_ranges_no_rolls_and_unknown_policies_are_refused(mixture, policy, why):
    next_major(State(), FIVE_AT_SIX, Policy.BANK)
    with pytest.raises(why):
        next_major(State(), mixture, policy)


def test_a_single_die_that_is_taken_below_3_never_comes_to_trouble():
    """This is the gambler's ruin: from 7 it is one step to 8 and five to 2, either way as likely, and from 2 on every
    offer resets.
    """
    close = next_major(State(scale=7), [share(1, 1, 6)], Policy.TAKE)
    assert (close.ever, close.grace, close.rolls) == (Fraction(5, 6), 1, None)
    mirrored = next_major(State(scale=-7), [share(1, 1, 6)], Policy.TAKE)
    assert (mirrored.ever, mirrored.grace, mirrored.rolls) == (Fraction(5, 6), 0, None)


def test_a_start_that_is_never_come_back_to_leads_on_for_certain():
    """If every roll beyond 3 reaches a Burn, the next one banks it, and the Scale is never at 7 with an empty bank again."""
    reaching = scale.Settings(staying_is_reaching=True)
    assert next_major(State(scale=7), FIVE_AT_SIX, Policy.BANK, reaching).ever == 1
