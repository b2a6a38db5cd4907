from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.errors import NotPossible, OutOfRange, UnknownWord
from rulesets.arc.rules.check import (
    Ask,
    Chip,
    Role,
    adjustment,
    core_row,
    counted,
    past_threshold,
    resolve,
    threshold_of,
)
from rulesets.arc.settings import Level, Settings


@st.composite
def checks(draw):
    ks, es = draw(st.integers(1, 10)), draw(st.integers(1, 10))
    ask = Ask(ks=ks, us=draw(st.integers(1, ks)), es=es, other=draw(st.integers(-5, 5)))
    return resolve(ask, iter([draw(st.integers(1, core_row(es).die.sides))]))


def tamper(face):
    """Resolve the lock of the printed example: Control 7, Accuracy 4, Tamper 5."""
    return resolve(Ask(ks=7, us=4, es=5), iter([face]))


def test_the_printed_success_and_the_printed_failure():
    opened, failed = tamper(5), tamper(8)
    assert (opened.total, past_threshold(opened, threshold_of(Level.AVERAGE))) == (16, 7)
    assert (failed.total, past_threshold(failed, threshold_of(Level.AVERAGE))) == (8, -1)


def test_the_core_table():
    rows = [core_row(es) for es in range(1, 11)]
    assert [row.die.sides for row in rows] == [4, 4, 6, 6, 8, 8, 10, 10, 12, 12]
    assert [row.lowest for row in rows] == [-3, -2] * 5
    assert [row.highest for row in rows] == list(range(1, 11))


@pytest.mark.parametrize("es", range(1, 11))
def test_a_row_says_what_its_die_can_do(es):
    row = core_row(es)
    values = [adjustment(es, face).value for face in range(1, row.die.sides + 1)]
    assert (min(values), max(values)) == (row.lowest, row.highest)
    assert 0 not in values


def test_the_die_says_what_it_did():
    bonus, malus = adjustment(5, 5), adjustment(5, 8)
    assert (bonus.role, bonus.value, bonus.why) == (Role.BONUS, 5, "a bonus: not above the skill score of 5")
    assert (malus.role, malus.value, malus.why) == (Role.MALUS, -3, "a malus: 3 above the skill score of 5")


def test_a_campaign_may_have_other_dice():
    settings = Settings(dice=(4, 4, 6, 6, 8, 8, 8, 10, 10, 10))
    assert (core_row(10, settings).die.sides, core_row(10, settings).lowest) == (10, 1)
    with pytest.raises(OutOfRange):
        adjustment(7, 9, settings)


@given(checks())
def test_a_total_is_the_sum_of_its_parts(check):
    ask = check.ask
    assert check.total == ask.ks + ask.us + ask.other + check.adjustment.value
    assert -3 <= check.adjustment.value <= 10


@given(checks(), st.integers(0, 100))
def test_only_a_total_above_the_threshold_is_past_it(check, threshold):
    assert past_threshold(check, threshold) == check.total - threshold


def test_the_levels_go_in_steps_of_three():
    assert [threshold_of(level) for level in Level] == [3, 6, 9, 12, 15, 18]
    assert threshold_of(Level.EASY, Settings(thresholds=(1, 7, 9, 12, 15, 18))) == 7


@pytest.mark.parametrize("level", ["hard", "", None, 9, True])
def test_another_level_is_unknown(level):
    with pytest.raises(UnknownWord):
        threshold_of(level)


def test_a_us_never_exceeds_its_ks_and_the_sentence_keeps_the_secret():
    assert Ask(ks=4, us=4, es=1).before_the_die == 8
    with pytest.raises(NotPossible) as refused:
        Ask(ks=4, us=5, es=1)
    assert not any(letter.isdigit() for letter in refused.value.message)


@pytest.mark.parametrize("face", [0, 9, -1, True, 5.0, "5", None, float("nan")])
def test_a_face_must_be_on_the_die(face):
    with pytest.raises(OutOfRange):
        adjustment(5, face)
    with pytest.raises(OutOfRange):
        tamper(face)


def test_a_check_without_a_die_is_none():
    with pytest.raises(NotPossible):
        resolve(Ask(ks=5, us=3, es=5), iter([]))


def chip(value, *, special=False):
    return Chip(word="x", value=value, special=special)


chips = st.lists(
    st.one_of(
        st.sampled_from([1, -1, 2, -2]).map(chip),
        st.sampled_from([2, -2]).map(lambda value: chip(value, special=True)),
    ),
    max_size=15,
)


def test_the_staircase_exalted_and_a_spell():
    assert counted([chip(1)] * 3) == 3
    assert counted([chip(-1)]) == -1


def test_a_huge_one_counts_double():
    assert counted([chip(2), chip(-1)]) == 1
    assert counted([chip(-2)] * 2) == -4


def test_nothing_to_speak_of_adjusts_nothing():
    assert counted([]) == 0


@given(chips)
def test_a_check_takes_any_sum_and_all_turned_round_turn_it_round(laid):
    total = counted(laid)
    assert Ask(ks=5, us=3, es=5, other=total).other == total
    assert counted([chip(-one.value, special=one.special) for one in laid]) == -total


@pytest.mark.parametrize(
    ("field", "value"), [("advantages", 1), ("disadvantages", -1), ("huge_advantages", 2), ("huge_disadvantages", -2)]
)
def test_up_to_twenty_of_a_kind_are_laid(field, value):
    assert counted([chip(value)] * 20) == 20 * value
    with pytest.raises(OutOfRange) as refused:
        counted([chip(value)] * 21)
    assert refused.value.field == field


def test_special_rules_add_or_take_up_to_thirty_together():
    assert counted([chip(30, special=True)]) == 30
    assert counted([chip(-29, special=True), chip(-1, special=True)]) == -30
    with pytest.raises(OutOfRange) as refused:
        counted([chip(30, special=True), chip(1, special=True)])
    assert refused.value.field == "special"
