"""The exact odds of an attack, against every way in which its dice may fall."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from rulesets.storyteller.odds import MISS, Blow, blow_outcomes, hits, joint, net
from rulesets.storyteller.rules.damage import Body, Harm, damage_dice, levels, soak_dice
from rulesets.storyteller.rules.roll import Ask, resolve, typed_pool
from rulesets.storyteller.settings import Settings

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


def test_large_pools_are_as_the_odds_of_one_roll_have_them():
    found = joint(12, 6)
    assert dict(net(12, 6)) == {gave: Fraction(ways, found.total) for gave, ways in found.nets().items() if ways}


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
