from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, OutOfRange, RuleError
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import (
    FATAL,
    HARM_SLOTS,
    MOST_REDUCED,
    MOST_SEVERE,
    Armor,
    Consequence,
    Kind,
    Resisting,
    Stakes,
    armor,
    harm_row,
    heal,
    left_after,
    mark_armor,
    record,
)
from tests.rolls.rules.refusals import NO_BOOLS, NO_WORDS, refused

rows = st.fixed_dictionaries({row: st.integers(0, slots) for row, slots in HARM_SLOTS.items()})
NO_ROWS = [{4: 1}, {0: 1}, {-1: 0}, {"1": 1}, {1.0: 1}, {True: 1}, {None: 0}, {10**4000: 1}]


def test_a_full_row_moves_a_harm_up_until_none_is_left():
    assert harm_row({}, 1) == harm_row({1: 1}, 1) == 1
    assert harm_row({1: 2}, 1) == 2
    assert harm_row({2: 2}, 2) == 3
    assert harm_row({1: 2, 2: 2, 3: 1}, 1) == harm_row({3: 1}, 3) == harm_row({}, 4) == FATAL


@given(rows, st.lists(st.integers(1, 4), max_size=10))
def test_harm_never_leaves_its_rows_and_none_gets_lost(taken, levels):
    for level in levels:
        recorded = record(taken, level)
        assert recorded.row >= level
        assert all(0 <= recorded.taken[row] <= slots for row, slots in HARM_SLOTS.items())
        assert sum(recorded.taken.values()) == sum(taken.values()) + (not recorded.fatal)
        assert recorded.healing == 0
        taken = recorded.taken


def test_a_full_healing_clock_brings_every_harm_down_and_rolls_over():
    healed = heal({1: 1, 2: 2, 3: 1}, healing=3, ticks=3)
    assert (healed.healing, healed.levels_down) == (2, 1)
    assert dict(healed.taken) == {1: 2, 2: 1, 3: 0}


def test_the_clock_may_go_round_more_than_once():
    healed = heal({3: 1}, healing=3, ticks=5)
    assert (healed.healing, healed.levels_down, dict(healed.taken)) == (0, 2, {1: 1, 2: 0, 3: 0})


def test_what_is_over_is_of_no_use_once_all_harm_is_gone():
    healed = heal({1: 2}, healing=2, ticks=3)
    assert (healed.healing, sum(healed.taken.values())) == (0, 0)


def test_nobody_heals_without_harm():
    for taken in ({}, {1: 0, 2: 0}):
        with pytest.raises(NotPossible):
            heal(taken, 0, 1)


@given(rows.filter(lambda taken: any(taken.values())), st.integers(0, 3), st.integers(1, 12))
def test_healing_never_leaves_its_clock_nor_the_rows(taken, healing, ticks):
    healed = heal(taken, healing, ticks)
    assert 0 <= healed.healing <= 3
    assert all(0 <= healed.taken[row] <= slots for row, slots in HARM_SLOTS.items())
    if any(healed.taken.values()):
        assert healed.levels_down * 4 + healed.healing == healing + ticks


@pytest.mark.parametrize("wrong", NO_ROWS, ids=lambda wrong: type(next(iter(wrong))).__name__)
def test_rows_are_one_two_and_three(wrong):
    for call in (lambda taken: harm_row(taken, 1), lambda taken: heal(taken, 0, 1)):
        with pytest.raises(RuleError) as caught:
            call(wrong)
        assert (caught.value.field, caught.value.allowed) == ("row", "1 to 3")


GUT_STABBED = Consequence(Kind.HARM, 3)
consequences = st.sampled_from(Kind).flatmap(
    lambda kind: st.builds(Consequence, st.just(kind), st.integers(1, MOST_SEVERE[kind]))
)


def resisted(consequence, **stakes):
    return left_after(Stakes(consequence, Attribute.PROWESS, **stakes))


def test_silas_is_gut_stabbed_resists_and_marks_his_armour():
    cut = resisted(GUT_STABBED)
    assert cut.severity == 2
    worn, bruised = mark_armor(Armor(), cut)
    assert (worn.marked, bruised.severity) == (1, 1)


def test_heavy_armour_would_have_taken_all_of_it():
    worn, wound = Armor(boxes=2), resisted(GUT_STABBED)
    for _ in range(2):
        worn, wound = mark_armor(worn, wound)
    assert wound.avoided
    assert worn == Armor(boxes=2, marked=2)


def test_the_alert_clock_is_ticked_twice_or_once_when_resisted():
    alert = Consequence(Kind.COMPLICATION, 3)
    assert [resisted(alert, by=by).severity for by in (1, 2)] == [2, 1]


def test_who_keeps_hold_of_the_blade_avoids_the_consequence():
    assert resisted(Consequence(Kind.LOST_OPPORTUNITY), resisting=Resisting.AVOIDS).avoided
    assert resisted(GUT_STABBED, resisting=Resisting.AVOIDS).avoided


@given(consequences, st.sampled_from(Resisting))
def test_resisting_always_works_and_never_falls_below_nothing(consequence, resisting):
    left = resisted(consequence, resisting=resisting, by=MOST_REDUCED.get(consequence.kind, 1))
    assert 0 <= left.severity < consequence.severity
    assert left.resisted


def test_a_consequence_is_resisted_once():
    with pytest.raises(NotPossible):
        resisted(resisted(GUT_STABBED))


def test_nothing_that_is_gone_is_resisted_or_needs_armour():
    gone = Consequence(Kind.HARM, 0)
    with pytest.raises(NotPossible):
        resisted(gone)
    with pytest.raises(NotPossible):
        mark_armor(Armor(), gone)


def test_only_free_boxes_are_marked():
    worn, _ = mark_armor(Armor(), GUT_STABBED)
    for full in (worn, Armor(boxes=0)):
        with pytest.raises(NotPossible):
            mark_armor(full, GUT_STABBED)


def test_armour_avoids_where_the_gm_says_so():
    _, left = mark_armor(Armor(), GUT_STABBED, avoids=True)
    assert left.avoided


def test_armour_and_resistance_may_both_lessen_the_same_wound():
    after_roll = resisted(GUT_STABBED)
    assert mark_armor(Armor(), after_roll)[1].severity == 1
    _, after_armor = mark_armor(Armor(), GUT_STABBED)
    assert resisted(after_armor).severity == 1


def test_heavy_armour_may_be_marked_twice_for_one_wound():
    worn, wound = mark_armor(Armor(boxes=2), GUT_STABBED)
    assert mark_armor(worn, wound)[1].severity == 1


def test_armour_takes_a_level_a_box():
    assert [armor(2, boxes) for boxes in range(3)] == [2, 1, 0]
    assert armor(0) == 0


def test_harm_comes_down_one_level_by_a_roll_and_no_more():
    for kind in Kind:
        most = MOST_REDUCED.get(kind, 1)
        with pytest.raises(OutOfRange):
            Stakes(Consequence(kind), Attribute.INSIGHT, by=most + 1)


@pytest.mark.parametrize("wrong", NO_WORDS, ids=lambda wrong: repr(wrong)[:8])
def test_words_are_checked(wrong):
    refused(Consequence, "kind", wrong)
    refused(lambda value: Stakes(GUT_STABBED, value), "attribute", wrong)
    refused(lambda value: Stakes(GUT_STABBED, Attribute.PROWESS, value), "resisting", wrong)


@pytest.mark.parametrize("wrong", NO_BOOLS, ids=repr)
def test_choices_are_checked(wrong):
    refused(lambda value: Consequence(Kind.HARM, 1, value), "resisted", wrong)
    refused(lambda value: mark_armor(Armor(), GUT_STABBED, avoids=value), "avoids", wrong)
