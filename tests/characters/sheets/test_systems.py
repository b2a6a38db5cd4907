"""What the sheets of descriptors, arc, forged and its crew give to a roll."""

import pytest

from characters.sheets.fields import SheetError, Visibility
from characters.sheets.traits import Trait
from rulesets.arc import sheet as arc
from rulesets.descriptors import sheet as descriptors
from rulesets.forged import sheet as forged
from rulesets.forged.rules import MOST_TRAUMAS
from rulesets.forged.sheet import heat

# descriptors


@pytest.fixture
def abigail():
    sheet = descriptors.SHEET
    values = sheet.add_row({}, "descriptors", "d1", {"name": "Fencing", "dice": 3, "category": "Abilities"})
    values = sheet.add_row(values, "descriptors", "d2", {"name": "Owes Bob"})
    values = sheet.add_row(values, "injuries", "i1", {"name": "Burned hand", "dice": 2})
    return sheet.add_row(values, "stuck", "s1", {"name": "Tied up", "dice": 3, "origin": "Christopher"})


def test_a_descriptor_has_at_least_one_die(abigail):
    with pytest.raises(SheetError):
        descriptors.SHEET.put(abigail, "descriptors/d1/dice", 0)


def test_will_begins_with_nine_and_the_power_track_with_six_free_boxes():
    assert descriptors.SHEET.value({}, "will") == 9
    assert descriptors.track({}) == descriptors.Track(6, frozenset())
    crossed = descriptors.SHEET.put({}, descriptors.power_box(3), True)
    assert descriptors.track(crossed).crossed == {3}


# arc


@pytest.fixture
def ana():
    sheet = arc.SHEET
    values = sheet.add_row({"build": 6, "empathy": 3}, "skills", "k1", {"name": "Climbing", "es": 5, "stat": "build"})
    values = sheet.add_row(values, "skills", "k2", {"name": "Build walls", "es": 2})
    values = sheet.add_row(values, "carried", "c1", {"name": "Rope", "weight": "1,5", "count": 2})
    return sheet.add_row(values, "carried", "c2", {"name": "Coat", "weight": "2", "worn": True})


SECRET = {"us_build": 4}


def test_the_unknown_score_is_had_by_who_brings_the_secrets(ana):
    build = arc.find_stat(ana, "build")
    assert (arc.unknown(ana, SECRET, build), arc.unknown(ana, {}, build)) == (4, 1)


def test_an_unknown_score_never_exceeds_the_known_one(ana):
    assert arc.unknown({**ana, "build": 2}, SECRET, arc.find_stat(ana, "build")) == 2


def test_unknown_scores_are_secret_and_can_be_neither_found_nor_rolled(ana):
    for stat in arc.STATS:
        assert arc.SHEET.visibility_of(arc.us_of(stat)) is Visibility.SECRET
        with pytest.raises(SheetError):
            arc.find_stat(ana, arc.us_of(stat))
        with pytest.raises(SheetError):
            arc.find_skill({**ana, **SECRET}, f"{stat}, unknown")


def test_a_stat_and_a_skill_of_like_names_are_not_taken_for_each_other(ana):
    assert (arc.find_stat(ana, "build").label, arc.find_skill(ana, "build").label) == ("Build", "Build walls")
    with pytest.raises(SheetError):
        arc.find_skill(ana, "empathy")


def test_a_skill_knows_its_score(ana):
    assert arc.find_skill(ana, "climbing").rating == 5


def test_what_is_borne_is_counted_exactly_and_clothing_apart(ana):
    body = arc.body(ana)
    assert (body.build, body.control, body.size, body.kilograms, body.clothing) == (6, 5, "medium", 3, 2)


# forged


def test_an_attribute_is_how_many_of_its_actions_have_a_dot():
    values = {"skirmish": 3, "prowl": 1, "hunt": 4}
    assert forged.action(values, "Skirm") == Trait("skirmish", "Skirmish", 3)
    assert [forged.attribute(values, name) for name in ("Insight", "prow", "resolve")] == [1, 2, 0]
    for name in ("", "x" * 500, "skirmish"):
        with pytest.raises(SheetError):
            forged.attribute(values, name)


def test_harm_has_two_two_and_one_place():
    sheet, values = forged.SHEET, {}
    for level, slots in forged.HARM_SLOTS.items():
        for slot in range(slots):
            values = sheet.add_row(values, forged.harm_rows(level), f"h{slot}", {"name": f"Wound {slot}"})
        with pytest.raises(SheetError):
            sheet.add_row(values, forged.harm_rows(level), "more", {"name": "One more"})
    assert forged.harm(values) == {1: ("Wound 0", "Wound 1"), 2: ("Wound 0", "Wound 1"), 3: ("Wound 0",)}


def test_nobody_has_more_than_four_traumas():
    values = {}
    for condition in forged.TRAUMAS[:MOST_TRAUMAS]:
        values = forged.SHEET.put(values, forged.trauma_of(condition), True)
    assert forged.traumas(values) == forged.TRAUMAS[:4]
    with pytest.raises(SheetError):
        forged.SHEET.put(values, forged.trauma_of("vicious"), True)


@pytest.mark.parametrize(("name", "most"), [("stress", 9), ("coin", 4), ("stash", 40), ("hunt", 4), ("healing", 4)])
def test_tracks_end_where_they_end(name, most):
    assert forged.SHEET.clean({}, name, most) == most
    with pytest.raises(SheetError):
        forged.SHEET.clean({}, name, most + 1)


def test_a_crew_has_gambits_tier_heat_and_a_wanted_level():
    assert heat({"heat": 5, "wanted": 1}) == (5, 1)
