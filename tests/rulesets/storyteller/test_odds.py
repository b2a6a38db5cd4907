from collections import Counter
from fractions import Fraction
from itertools import product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bench import second_opinion
from rolls.settings import RollSettings
from rules.errors import OutOfRange
from rulesets.storyteller.guide import StorytellerExpectation
from rulesets.storyteller.odds import MISS, Blow, blow_outcomes, deltas, hits, joint, net, outcomes
from rulesets.storyteller.rules import roll as storyteller
from rulesets.storyteller.rules.damage import Body, Harm, damage_dice, levels, soak_dice
from rulesets.storyteller.rules.roll import Ask, Kind, Result, resolve, typed_pool
from rulesets.storyteller.settings import DEFAULTS, Settings
from scale.rules import scale
from scale.rules.scale import tally
from tests.rules.cast import read, roll

COUNT_ALL = scale.Settings(cancelled_ones_count=True)
TWICE = Settings(tens_count_twice=True)


def by_enumeration(dice, difficulty, ability=0, settings=DEFAULTS, scale_settings=scale.DEFAULTS):
    """Count all of the 10**dice rolls, resolved and read by the rules themselves."""
    ways = Counter()
    for faces in product(range(1, 11), repeat=dice):
        outcome = roll(*faces, difficulty=difficulty, ability=ability, settings=settings)
        ways[outcome.total, outcome.result is Result.BOTCH, read(outcome, scale_settings).delta] += 1
    return ways


def as_stored(asked):
    """Return what a roll keeps of these terms, as far as its odds go by it."""
    kept = {"dice": asked.pool.dice, "difficulty": asked.difficulty, "willpower": asked.willpower}
    return kept | {"ability": asked.pool.ability, "kind": asked.kind.value}


def drift(odds):
    """Return the mean of what a roll gives the Scale."""
    return Fraction(sum(delta * ways for delta, ways in odds.deltas().items()), odds.total)


def as_counter(odds):
    return Counter({(verdict.net, verdict.botch, delta): ways for verdict, delta, ways in odds})


EVERY = [
    *((dice, at, 0, DEFAULTS, scale.DEFAULTS) for dice in (1, 2, 3) for at in range(2, 11)),
    *((3, at, 0, DEFAULTS, COUNT_ALL) for at in (2, 3, 6, 9, 10)),
    *((3, at, ability, DEFAULTS, scale.DEFAULTS) for at in (2, 6, 10) for ability in (5, 6, 7)),
    *((3, at, 0, TWICE, scale.DEFAULTS) for at in (2, 6, 10)),
]


@pytest.mark.parametrize(("dice", "difficulty", "ability", "settings", "counted"), EVERY)
def test_the_odds_are_those_of_every_roll_there_is(dice, difficulty, ability, settings, counted):
    odds = joint(dice, difficulty, ability=ability, settings=settings, tally=tally(counted))
    assert as_counter(odds) == by_enumeration(dice, difficulty, ability, settings, counted)


def test_without_botch_cancellation_an_ability_changes_nothing():
    off = Settings(botch_cancellation=False)
    assert joint(4, 6, ability=6, settings=off) == joint(4, 6)


@pytest.mark.parametrize("difficulty", range(2, 11))
def test_icepool_agrees_on_the_whole_table_of_usual_pools(difficulty):
    for dice in range(1, 11):
        assert as_counter(joint(dice, difficulty)) == second_opinion.storyteller_by_class(dice, difficulty)


@pytest.mark.parametrize(("dice", "difficulty", "ability"), [(19, 6, 0), (20, 9, 6), (26, 7, 5)])
def test_icepool_agrees_on_pools_beyond_human(dice, difficulty, ability):
    theirs = second_opinion.storyteller_by_class(dice, difficulty, ability)
    assert as_counter(joint(dice, difficulty, ability=ability)) == theirs


@pytest.mark.parametrize("ability", [0, 5, 6])
def test_icepool_agrees_however_it_is_asked(ability):
    assert as_counter(joint(7, 8, ability=ability)) == second_opinion.storyteller(7, 8, ability)


@pytest.mark.parametrize("willpower", [False, True])
@pytest.mark.parametrize("kept", [False, True])
@pytest.mark.parametrize(("difficulty", "kind"), [(2, "action"), (6, "action"), (6, "soak"), (10, "damage")])
def test_the_degrees_are_those_of_every_roll(difficulty, kind, kept, willpower):
    settings = Settings(willpower_prevents_botch=not kept, tens_count_twice=kept)
    asked = Ask(pool=typed_pool(3), difficulty=difficulty, willpower=willpower, kind=Kind(kind))
    ways = Counter()
    for faces in product(range(1, 11), repeat=3):
        outcome = resolve(asked, iter(faces), settings)
        ways[outcome.degree or str(outcome.result)] += 1
    found = outcomes(asked, settings)
    expected = StorytellerExpectation().chances(kind, as_stored(asked), RollSettings().with_(settings), for_gm=True)
    failed = {name: float(found[name]) for name in ("botch", "failure")}
    assert expected == failed | {"success": pytest.approx(1 - sum(failed.values()))}
    assert {name: chance * 1000 for name, chance in found.items() if chance} == ways


def test_every_degree_is_named_from_the_worst_to_the_best_even_if_it_cannot_come():
    found = outcomes(Ask(pool=typed_pool(2)))
    assert list(found) == ["botch", "failure", *storyteller.DEGREES]
    assert found["phenomenal"] == 0
    assert sum(found.values()) == 1


def test_the_known_figures_come_out():
    odds = joint(5, 6)
    assert (odds.botch, odds.success) == (Fraction(2101, 100000), Fraction(211, 250))
    assert Fraction(odds.deltas()[0], odds.total) == Fraction(2823, 12500)
    assert Fraction(sum(n for delta, n in odds.deltas().items() if abs(delta) >= 3), odds.total) == Fraction(
        13971, 100000
    )
    assert drift(odds) == Fraction(867, 2000)
    assert round(float(joint(5, 6, ability=5).botch), 4) == 0.0082


@pytest.mark.parametrize("difficulty", range(2, 11))
def test_the_botch_follows_its_formula_up_to_thirty_dice(difficulty):
    for dice in (1, 2, 5, 10, 20, 30):
        formula = Fraction((difficulty - 1) ** dice - (difficulty - 2) ** dice, 10**dice)
        assert joint(dice, difficulty).botch == formula


@given(st.integers(1, 30), st.integers(2, 10), st.booleans())
def test_everything_adds_up(dice, difficulty, count_all):
    odds = joint(dice, difficulty, tally=tally(scale.Settings(cancelled_ones_count=count_all)))
    assert sum(odds.nets().values()) == sum(odds.deltas().values()) == odds.total == 10**dice
    assert odds.success + odds.failure + odds.botch == 1


@pytest.mark.parametrize("difficulty", [2, 6, 10])
def test_all_drift_comes_from_skipped_1s(difficulty):
    pairs = sum(
        min(sum(face >= difficulty for face in faces), faces.count(1)) for faces in product(range(1, 11), repeat=4)
    )
    assert drift(joint(4, difficulty)) == Fraction(pairs, 10**4) > 0
    assert drift(joint(4, difficulty, tally=tally(COUNT_ALL))) == 0


@pytest.mark.parametrize(("dice", "difficulty"), [(0, 6), (101, 6), (10**9, 6), (5, 1), (5, 11), (True, 6), (5.0, 6)])
def test_odds_of_what_cannot_be_rolled_are_refused(dice, difficulty):
    joint(1, 6), joint(5, 6), deltas(1, 6), deltas(5, 6)  # equal to True and 5.0 for a cache
    with pytest.raises(OutOfRange):
        joint(dice, difficulty)
    with pytest.raises(OutOfRange):
        deltas(dice, difficulty)


@pytest.mark.parametrize("settings", [scale.DEFAULTS, scale.Settings(cancelled_ones_count=True)])
@pytest.mark.parametrize(("dice", "difficulty"), [(1, 2), (5, 6), (7, 10), (12, 3)])
def test_deltas_alone_are_those_of_the_joint_distribution(dice, difficulty, settings):
    whole = joint(dice, difficulty, tally=tally(settings))
    assert deltas(dice, difficulty, tally(settings)) == whole.deltas()
    assert sum(deltas(dice, difficulty, tally(settings)).values()) == whole.total


def test_the_odds_of_usual_pools_are_kept_at_every_difficulty():
    first, again = ([joint(dice, at) for dice in range(1, 11) for at in range(2, 11)] for _ in range(2))
    assert all(one is other for one, other in zip(first, again, strict=True))


@pytest.mark.parametrize(("dice", "difficulty"), [(20, 6), (40, 2), (100, 9)])
def test_deltas_alone_add_up_for_the_largest_pools_too(dice, difficulty):
    found = deltas(dice, difficulty)
    assert sum(found.values()) == 10**dice
    # Equally many faces give +1 and -1, so that the mean is that of the 1s that are skipped.
    skipped = sum(
        min(ones, reached)
        * (comb(dice, ones) * comb(dice - ones, reached))
        * (11 - difficulty) ** reached
        * (difficulty - 2) ** (dice - ones - reached)
        for ones in range(dice + 1)
        for reached in range(dice + 1 - ones)
    )
    assert sum(delta * ways for delta, ways in found.items()) == skipped


# The exact odds of an attack, against every way in which its dice may fall


USUAL = Settings()


def nets(dice, difficulty, *, twice=False):
    """Return the chances of so many dice, counted by the results of `resolve`."""
    found = {}
    for faces in product(range(1, 11), repeat=dice):
        settings = Settings(tens_count_twice=twice)
        gave = resolve(Ask(pool=typed_pool(dice), difficulty=difficulty), iter(faces), settings).total if dice else 0
        found[gave] = found.get(gave, Fraction()) + Fraction(1, 10**dice)
    return found


@pytest.mark.parametrize("twice", [False, True])
@pytest.mark.parametrize(("dice", "difficulty"), [(0, 6), (1, 2), (2, 6), (3, 7), (3, 10)])
def test_successes_are_counted_as_rolls_are_read(dice, difficulty, twice):
    assert dict(net(dice, difficulty, twice)) == nets(dice, difficulty, twice=twice)


@pytest.mark.parametrize(
    ("blow", "changed"),
    [
        (Blow(attack=2, difficulty=6, dice=1, harm=Harm.LETHAL, body=Body(stamina=1)), {}),
        (Blow(attack=2, difficulty=6, dice=1, harm=Harm.BASHING, body=Body(stamina=2)), {}),
        (Blow(attack=2, difficulty=7, dice=0, harm=Harm.BASHING, body=Body(mortal=True), willpower=True), {}),
        (
            Blow(
                attack=2,
                difficulty=6,
                dice=2,
                harm=Harm.AGGRAVATED,
                body=Body(stamina=3, fortitude=1),
            ),
            {"damage_difficulty": 8, "soak_difficulty": 4},
        ),
    ],
)
def test_levels_are_as_likely_as_all_falls_of_all_dice_say(blow, changed):
    decisions = USUAL.changed(**changed)
    expected = {}
    for own, mine in nets(blow.attack, blow.difficulty).items():
        over = own + blow.willpower
        if over < 1:
            expected[MISS] = expected.get(MISS, Fraction()) + mine
            continue
        for damage, dealt in nets(damage_dice(blow.dice, over, decisions), decisions.damage_difficulty).items():
            for soaked, kept in nets(soak_dice(blow.body, blow.harm, decisions), decisions.soak_difficulty).items():
                taken = levels(damage, soaked, blow.harm, decisions, mortal=blow.body.mortal)
                expected[taken] = expected.get(taken, Fraction()) + mine * dealt * kept
    assert dict(blow_outcomes(blow, decisions)) == expected
    assert sum(expected.values()) == 1
    assert hits(blow, decisions).get(0, 0) == expected.get(MISS, 0)


def test_pools_beyond_all_sheets_have_none():
    assert blow_outcomes(Blow(attack=31, difficulty=6, dice=0, harm=Harm.LETHAL, body=Body()), USUAL) is None
    assert blow_outcomes(Blow(attack=20, difficulty=6, dice=30, harm=Harm.LETHAL, body=Body()), USUAL) is None
