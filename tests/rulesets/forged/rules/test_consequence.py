import pytest
from hypothesis import given
from hypothesis import strategies as st

from rolls.rules.errors import NotPossible, OutOfRange
from rulesets.forged.rules.body import Attribute
from rulesets.forged.rules.consequence import (
    MOST_REDUCED,
    MOST_SEVERE,
    Armor,
    Consequence,
    Kind,
    Resisting,
    Stakes,
    armor,
    left_after,
    mark_armor,
)
from tests.rolls.rules.refusals import NO_BOOLS, NO_WORDS, refused

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
