"""The budget of a Storyteller character: shares by group, and freebie points for what goes beyond."""

from __future__ import annotations

import pytest

from characters.rulesets import budgets
from rulesets.storyteller.creation import StorytellerBudget

BUDGET = StorytellerBudget()


def pots(values, budget=BUDGET):
    return {pot.name: pot for pot in budget.reckon(values).pots}


def faults(values, budget=BUDGET):
    return dict(budget.reckon(values).faults)


def test_an_empty_sheet_has_spent_nothing():
    assert all(pot.spent == 0 for pot in pots({}).values())
    assert faults({}) == {}


def test_the_dot_that_everybody_has_is_not_paid_for():
    assert pots({"strength": 1, "dexterity": 3})["physical"].spent == 2


def test_the_group_with_most_dots_has_the_largest_share():
    values = {"perception": 5, "wits": 4, "charisma": 4, "strength": 2}
    found = pots(values)
    assert [found[name].of for name in ("mental", "social", "physical")] == [7, 5, 3]
    assert found["mental"].left == 0 and found["physical"].left == 2


def test_what_goes_beyond_a_share_is_paid_in_freebie_points():
    values = {"perception": 5, "wits": 5}  # 8 dots, and the largest share is 7
    found = pots(values)
    assert found["mental"].over == 1 and found["mental"].note == "paid with 5 freebie points"
    assert found["freebies"].spent == 5 and faults(values) == {}


def test_an_ability_above_three_dots_is_paid_in_freebie_points_even_where_its_share_has_dots_left():
    found = pots({"brawl": 5})
    assert (found["talents"].left, found["talents"].over) == (10, 2)
    assert found["freebies"].spent == 4


def test_abilities_of_ones_own_count_with_their_group():
    values = BUDGET.sheet.add_row({}, "own_talents", "a", {"name": "Hunting", "rating": 3})
    assert pots(values | {"brawl": 3})["talents"].spent == 6


def test_more_than_the_freebie_points_pay_is_said_where_it_was_spent():
    assert faults({"strength": 5, "dexterity": 5, "stamina": 3}) == {}
    found = faults({"strength": 5, "dexterity": 5, "stamina": 5})
    assert set(found) == {"freebies", "physical"}
    assert "10 freebie points too many: 25 of 15 spent." in found["freebies"]


def test_willpower_and_humanity_begin_where_the_virtues_put_them():
    values = BUDGET.completed({"conscience": 3, "self_control": 4, "courage": 4})
    assert (values["willpower"], values["willpower_now"], values["humanity"]) == (4, 4, 7)
    assert pots(values, StorytellerBudget(virtues=8))["freebies"].spent == 0


def test_willpower_beyond_courage_is_bought_and_begins_full():
    values = BUDGET.completed({"courage": 4, "willpower": 7})
    assert values["willpower_now"] == 7
    assert pots(values)["freebies"].spent == 3


def test_willpower_below_courage_is_a_fault_of_its_field():
    assert "starts at 4" in faults({"courage": 4, "willpower": 2})["willpower"]


def test_a_campaign_sets_every_figure():
    generous = StorytellerBudget(attributes_first=9, freebies=21)
    assert pots({}, generous)["physical"].of == 9
    assert pots({}, generous)["freebies"].of == 21


@pytest.mark.parametrize("system", budgets())
def test_every_figure_has_its_words_and_is_a_whole_number(system):
    kind = budgets()[system]
    assert kind.settings()
    for name, setting in kind.settings().items():
        assert setting.words and setting.least <= getattr(kind(), name) <= setting.most


@pytest.mark.parametrize("system", budgets())
def test_what_the_page_asks_for_is_on_the_sheet(system):
    budget = budgets()[system]()
    for section in budget.sections():
        for name in section.fields:
            assert name in budget.sheet.fields
        for column in section.columns:
            assert budget.sheet.rows_called(section.rows).column(column)
