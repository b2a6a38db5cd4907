"""Damage, soak and health levels: worked examples by the usual figures, and what holds for all of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulesets.storyteller.rules.damage import Body, Harm, Health, damage_dice, hurt, levels, soak_dice
from rulesets.storyteller.rules.roll import Ask, Kind, Result, resolve, typed_pool
from rulesets.storyteller.settings import Settings

USUAL = Settings()
VAMPIRE = Body(stamina=3, fortitude=2, armour=1)
MORTAL = Body(stamina=3, armour=1, mortal=True)
B, L, A = Harm


@pytest.mark.parametrize(
    ("dice", "over", "wanted"),
    [(4, 1, 4), (4, 3, 6), (0, 1, 1), (0, 3, 2), (30, 90, 100)],
)
def test_successes_beyond_the_first_add_dice_and_what_hits_has_one(dice, over, wanted):
    assert damage_dice(dice, over, USUAL) == wanted


def test_a_table_may_leave_the_dice_as_they_are():
    assert damage_dice(4, 3, USUAL.changed(successes_add_damage=False)) == 4


@pytest.mark.parametrize(
    ("body", "harm", "changed", "wanted"),
    [
        (VAMPIRE, B, {}, 6),
        (VAMPIRE, L, {}, 6),
        (VAMPIRE, A, {}, 2),
        (VAMPIRE, A, {"armour_against_aggravated": True}, 3),
        (VAMPIRE, A, {"aggravated_needs_fortitude": False}, 5),
        (MORTAL, B, {}, 4),
        (MORTAL, L, {}, 1),
        (MORTAL, L, {"mortals_soak_lethal": True}, 4),
        (MORTAL, A, {}, 0),
        (MORTAL, A, {"aggravated_needs_fortitude": False}, 0),
    ],
)
def test_who_soaks_what_with_what(body, harm, changed, wanted):
    assert soak_dice(body, harm, USUAL.changed(**changed)) == wanted


@pytest.mark.parametrize(
    ("damage", "soaked", "harm", "mortal", "wanted"),
    [(5, 2, B, False, 1), (5, 2, B, True, 3), (5, 2, L, False, 3), (2, 5, A, False, 0), (1, 0, B, False, 0)],
)
def test_vampires_halve_bashing_after_soak_rounded_down(damage, soaked, harm, mortal, wanted):
    assert levels(damage, soaked, harm, USUAL, mortal=mortal) == wanted


def test_a_table_may_leave_bashing_whole():
    assert levels(5, 2, B, USUAL.changed(vampires_halve_bashing=False), mortal=False) == 3


@pytest.mark.parametrize(
    ("before", "harm", "count", "after", "beyond"),
    [
        ((0, 0, 0), B, 2, (2, 0, 0), 0),
        ((6, 0, 0), B, 3, (5, 2, 0), 0),
        ((7, 0, 0), A, 2, (5, 0, 2), 0),
        ((0, 7, 0), A, 1, (0, 6, 1), 0),
        ((0, 6, 0), L, 3, (0, 7, 0), 2),
        ((1, 5, 1), L, 3, (0, 6, 1), 2),
        ((0, 0, 7), A, 1, (0, 0, 7), 1),
    ],
)
def test_a_full_track_gets_worse(before, harm, count, after, beyond):
    names = ("bashing", "lethal", "aggravated")
    health = Health(**dict(zip(names, before, strict=True)))
    assert hurt(health, harm, count, USUAL) == (Health(**dict(zip(names, after, strict=True))), beyond)


def test_a_table_may_lose_what_finds_no_place():
    assert hurt(Health(bashing=7), B, 2, USUAL.changed(full_track_worsens=False)) == (Health(bashing=7), 2)


TRACKS = st.lists(st.sampled_from(list(Harm)), max_size=7).map(
    lambda marks: Health(**{harm.value: marks.count(harm) for harm in Harm})
)


@given(TRACKS, st.sampled_from(list(Harm)), st.integers(0, 40), st.booleans())
def test_a_track_never_overflows_nothing_heals_and_no_level_is_lost_before_it_is_full(before, harm, count, worsens):
    after, beyond = hurt(before, harm, count, USUAL.changed(full_track_worsens=worsens))
    assert before.marked <= after.marked <= 7
    assert min(after.bashing, after.lethal, after.aggravated) >= 0
    assert after.aggravated >= before.aggravated
    assert 0 <= beyond <= count
    assert after.marked == min(7, before.marked + count)
    weight = {B: 1, L: 2, A: 3}
    heavy = [sum(weight[one] * getattr(health, one.value) for one in Harm) for health in (before, after)]
    assert heavy[1] >= heavy[0]


@given(st.integers(0, 20), st.integers(0, 20), st.sampled_from(list(Harm)), st.booleans())
def test_soaking_more_never_hurts_more(damage, soaked, harm, mortal):
    one, more = (levels(damage, dice, harm, USUAL, mortal=mortal) for dice in (soaked, soaked + 1))
    assert 0 <= more <= one <= damage


@pytest.mark.parametrize("kind", [Kind.DAMAGE, Kind.SOAK])
def test_damage_and_soak_only_fail(kind):
    ask = Ask(pool=typed_pool(3), kind=kind)
    assert resolve(ask, iter([1, 1, 4])).result is Result.FAILURE
    assert resolve(ask, iter([1, 1, 4]), Settings(damage_botches=True)).result is Result.BOTCH
    assert resolve(Ask(pool=typed_pool(3)), iter([1, 1, 4])).result is Result.BOTCH


@pytest.mark.parametrize("name", ["attack_difficulty", "damage_difficulty", "soak_difficulty"])
@pytest.mark.parametrize("value", [1, 11, "6", True])
def test_a_difficulty_that_no_die_knows_is_no_setting(name, value):
    from rules.errors import RuleError

    with pytest.raises(RuleError):
        Settings(**{name: value})
