"""The budgets of the other systems."""

from __future__ import annotations

from rulesets.arc import sheet as arc
from rulesets.arc.creation import ArcBudget
from rulesets.descriptors import sheet as descriptors
from rulesets.descriptors.sheet import DescriptorsBudget
from rulesets.forged.sheet import ForgedBudget


def with_rows(sheet, name, *rows):
    values = {}
    for number, row in enumerate(rows):
        values = sheet.add_row(values, name, f"r{number}", row)
    return values


def spent(budget, values):
    return {pot.name: (pot.spent, pot.of) for pot in budget.reckon(values).pots}


# Descriptors


def test_descriptors_are_free_unless_the_campaign_says_otherwise():
    values = with_rows(descriptors.SHEET, "descriptors", {"name": "Fencing", "dice": 12})
    assert spent(DescriptorsBudget(), values)["descriptors"] == (12, None)
    assert DescriptorsBudget().reckon(values).faults == {}


def test_a_campaign_may_say_how_many_dice_there_are_and_how_many_in_one():
    values = with_rows(descriptors.SHEET, "descriptors", {"name": "Fencing", "dice": 4}, {"name": "Debt", "dice": 1})
    found = DescriptorsBudget(dice=4, most_dice=3).reckon(values).faults
    assert found == {
        "descriptors": "1 too many: 5 of 4 spent.",
        "descriptors/r0/dice": "Fencing: no more than 3 at creation.",
    }


def test_will_and_the_power_track_begin_as_the_rules_of_the_table_say():
    begun = DescriptorsBudget(start_will=7, boxes=8).completed({})
    assert begun == {"start_will": 7, "will": 7, "power_boxes": 8}
    assert DescriptorsBudget(boxes=100).completed({})["power_boxes"] == descriptors.MOST_POWER_BOXES


# VI-VIII-X


def test_known_scores_share_their_points():
    assert spent(ArcBudget(), {"build": 8, "control": 4})["stats"] == (22, 22)
    assert ArcBudget().reckon({"build": 8, "control": 5}).faults == {"stats": "1 too many: 23 of 22 spent."}


def test_a_score_or_a_skill_above_the_most_is_a_fault_of_its_own():
    values = with_rows(arc.SHEET, "skills", {"name": "Climbing", "es": 7})
    found = ArcBudget(most_stat=6).reckon(values | {"build": 7, "control": 1}).faults
    assert set(found) == {"build", "skills/r0/es"}


def test_the_unknown_scores_are_never_asked_for():
    budget = ArcBudget()
    assert not [name for section in budget.sections() for name in section.fields if name.startswith("us_")]
    assert budget.completed({}) == {"som": 6}


# Forged


def test_seven_dots_of_actions_two_at_most_in_one_and_one_ability():
    budget = ForgedBudget()
    assert spent(budget, {"hunt": 2, "prowl": 1})["actions"] == (3, 7)
    full = dict.fromkeys(("hunt", "study", "prowl", "sway"), 2)
    assert budget.reckon(full).faults == {"actions": "1 too many: 8 of 7 spent."}
    assert budget.reckon({"hunt": 3}).faults == {"hunt": "Hunt: no more than 2 at the start."}
