from __future__ import annotations

from pathlib import Path

import pytest
from django import conf
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, OutOfRange, UnknownWord
from rulesets.arc.rules.body import Size, size_steps
from rulesets.arc.rules.check import (
    Ask,
    Circumstances,
    Role,
    adjustment,
    core_row,
    resolve,
    threshold_of,
    versus,
    versus_threshold,
)
from rulesets.arc.settings import Level, Settings
from tests.replay import replay


@st.composite
def checks(draw):
    ks, es = draw(st.integers(1, 10)), draw(st.integers(1, 10))
    ask = Ask(ks=ks, us=draw(st.integers(1, ks)), es=es, other=draw(st.integers(-5, 5)))
    return resolve(ask, iter([draw(st.integers(1, core_row(es).die.sides))]))


def tamper(face):
    """Resolve the lock of the printed example: Control 7, Accuracy 4, Tamper 5."""
    return resolve(Ask(ks=7, us=4, es=5), iter([face]))


def test_every_worked_case_agrees():
    lines = (Path(conf.settings.BASE_DIR) / "tests/rolls/rules/vectors.jsonl").read_text().splitlines()
    seen = replay([line for line in lines if '"system": "arc"' in line])
    assert (seen.cases, seen.mismatches, seen.unbuilt.total()) == (27, [], 0)


def test_the_printed_success_and_the_printed_failure():
    opened, failed = (versus_threshold(tamper(face), threshold_of(Level.AVERAGE)) for face in (5, 8))
    assert (opened.check.total, opened.success) == (16, True)
    assert (failed.check.total, failed.success, failed.margin) == (8, False, -1)


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


@given(checks(), st.integers(0, 40))
def test_a_tie_fails_and_one_more_succeeds(check, threshold):
    assert versus_threshold(check, threshold).success == (check.total > threshold)


@given(checks(), st.integers(0, 99))
def test_a_higher_threshold_is_never_easier(check, threshold):
    assert versus_threshold(check, threshold).success >= versus_threshold(check, threshold + 1).success


@given(checks(), checks())
def test_opposed_checks_are_antisymmetric(one, other):
    there, back = versus(one, other), versus(other, one)
    assert there.margin == -back.margin
    assert not (there.success and back.success)
    assert (not there.success and not back.success) == (one.total == other.total)


def test_the_fight_of_chapter_vi():
    attack = resolve(Ask(ks=7, us=4, es=4, other=-2), iter([2]))
    defence = resolve(Ask(ks=6, us=5, es=3, other=-3), iter([4]))
    fight = versus(attack, defence)
    assert (attack.total, defence.total, fight.success) == (11, 7, True)


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


COUNTS = ("advantages", "disadvantages", "huge_advantages", "huge_disadvantages")
circumstances = st.builds(
    Circumstances,
    **{name: st.integers(0, 20) for name in COUNTS},
    size_steps=st.integers(-6, 6),
    special=st.integers(-30, 30),
)


def test_the_staircase_exalted_and_a_spell():
    assert Circumstances(advantages=3).total == 3
    assert Circumstances(disadvantages=1).total == -1


def test_a_huge_one_counts_double():
    assert Circumstances(huge_advantages=1, disadvantages=1).total == 1
    assert Circumstances(huge_disadvantages=2).total == -4


def test_nothing_to_speak_of_adjusts_nothing():
    assert Circumstances().total == 0


@given(st.sampled_from(Size), st.sampled_from(Size))
def test_in_a_fight_both_sides_apply_their_own_sizes(own, opponent):
    mine = Circumstances(size_steps=size_steps(own, opponent)).total
    theirs = Circumstances(size_steps=size_steps(opponent, own)).total
    assert mine == -theirs == opponent.steps - own.steps


@given(circumstances)
def test_a_check_takes_any_total(what):
    assert Ask(ks=5, us=3, es=5, other=what.total).other == what.total


@given(circumstances)
def test_turning_everything_round_turns_the_total_round(what):
    turned = Circumstances(
        advantages=what.disadvantages,
        disadvantages=what.advantages,
        huge_advantages=what.huge_disadvantages,
        huge_disadvantages=what.huge_advantages,
        size_steps=-what.size_steps,
        special=-what.special,
    )
    assert turned.total == -what.total


@pytest.mark.parametrize("field", [*COUNTS, "size_steps", "special"])
@pytest.mark.parametrize("value", [10**9, -(10**9), True, "1", 1.0, float("nan"), None])
def test_every_part_is_a_whole_number_of_sane_size(field, value):
    with pytest.raises(OutOfRange) as refused:
        Circumstances(**{field: value})
    assert refused.value.field == field


@pytest.mark.parametrize("field", COUNTS)
def test_circumstances_are_counted_from_0(field):
    with pytest.raises(OutOfRange):
        Circumstances(**{field: -1})
