"""Flashbacks and fortune on a table of plain objects: who can do what, and what stands then."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Actor
from rules.errors import BlockedByState
from rules.table import Refused, Table
from rulesets.forged.procedures.score import Flashback, Fortune
from rulesets.forged.rows import Crew, Scoundrel
from rulesets.forged.rules import Settings

MEMBERS = {1: Actor(characters=frozenset({"cross"})), 2: Actor(characters=frozenset({"nyx"}))}


def past(price: int | None, stress: int = 3, **settings: object) -> tuple[Flashback, Table]:
    those = [Scoundrel(id="cross", name="Cross", stress=stress), Scoundrel(id="nyx", name="Nyx")]
    procedure = Flashback(id="past", who="cross", stress=price)
    return procedure, Table([procedure, *those], settings=Settings(**settings))


def offers(procedure: Flashback | Fortune, table: Table) -> dict[str, tuple[int, ...]]:
    return {str(one.words): one.members for one in procedure.offers(table, MEMBERS)}


PRICES = {
    None: {"No stress": (), "1 stress": (), "2 stress": (), "More stress…": (), "Drop it": (1,)},
    0: {"1 stress": (), "2 stress": (), "More stress…": (), "Confirm the flashback": (1,), "Drop it": (1,)},
    2: {"No stress": (), "1 stress": (), "More stress…": (), "Pay 2 stress": (1,), "Drop it": (1,)},
    7: {
        "No stress": (),
        "1 stress": (),
        "2 stress": (),
        "More stress…": (),
        "Pay 7 stress": (1,),
        "Drop it": (1,),
    },
}


@pytest.mark.parametrize("price", PRICES)
def test_a_gm_sets_the_price_and_whose_it_is_pays_or_drops_it(price):
    assert offers(*past(price)) == PRICES[price]


def test_full_stress_leaves_paying_to_the_gm_and_costs_nothing_more():
    procedure, table = past(1, stress=9)
    assert offers(procedure, table)["Pay 1 stress"] == ()
    accept, whose = procedure.acts["accept"], (table.get(Scoundrel, "cross"),)
    with pytest.raises(BlockedByState):
        procedure.take(table, accept, whose)
    table.override = True
    assert str(procedure.take(table, accept, whose)) == "Cross had the flashback, for 1 stress."
    assert table.get(Scoundrel, "cross").stress == 9 and procedure.over


@given(price=st.integers(0, 9), stress=st.integers(0, 9), counts=st.booleans())
def test_a_flashback_marks_its_price_as_far_as_there_is_room(price, stress, counts):
    procedure, table = past(price, stress, filling_stress_counts=counts)
    fills = price > 0 and stress + price >= 9
    payable = [one for one in procedure.offers(table, MEMBERS) if one.act.name == "accept" and one.members]
    assert bool(payable) == (not price or (stress < 9 and (counts or not fills)))
    for offer in payable:
        procedure.take(table, offer.act, offer.target)
        assert table.get(Scoundrel, "cross").stress == min(9, stress + price)


@pytest.mark.parametrize(
    ("act", "stress", "line", "trauma"),
    [
        ("accept", 3, "Cross had the flashback, for 2 stress.", []),
        ("accept", 8, "Cross had the flashback, for 2 stress.", [{"those": ["cross"]}]),
        ("drop", 3, "Cross dropped the flashback.", []),
    ],
)
def test_it_is_paid_for_or_let_be_and_what_fills_the_track_brings_a_trauma(act, stress, line, trauma):
    procedure, table = past(2, stress)
    assert str(procedure.take(table, procedure.acts[act], (table.get(Scoundrel, "cross"),))) == line
    table.settle()
    assert procedure.over and [given for _kind, given in table.begun] == trauma


def test_who_has_a_trauma_to_choose_is_told_so_before_paying():
    procedure, table = past(1, stress=9)
    assert [(one.who, str(one.words)) for one in procedure.waits(table)] == [
        ("cross", "to choose a trauma first, or drop it")
    ]


def test_a_flashback_that_was_not_paid_is_dropped_with_its_scene():
    procedure, table = past(2)
    assert str(procedure.scene_ended(table)) == "Cross’s flashback was dropped: the scene ended."
    assert procedure.over and table.get(Scoundrel, "cross").stress == 3


def test_who_has_left_can_only_be_let_go():
    procedure, table = past(2)
    table.get(Scoundrel, "cross").in_play = False
    assert "Pay 2 stress" not in offers(procedure, table)
    assert [(one.who, str(one.words)) for one in procedure.waits(table)] == [
        ("", "to drop it: Cross is no longer in play")
    ]


def fate(**asked: object) -> Fortune:
    procedure = Fortune(id="fate")
    procedure.take(Table([procedure]), procedure.acts["open"], (), asked)
    return procedure


def test_each_side_falls_in_turn_and_the_better_one_is_ahead():
    procedure = fate(a_name="Crows", opposed=True, b_name="Wick", b_trait=3)
    table = Table([procedure])
    said = []
    for result in ("partial", "critical"):
        roll = procedure.next_roll(table)
        assert roll is not None
        said.append(str(procedure.on_roll(table, roll.part, {"result": result})))
    assert said == ["", "Crows mixed, Wick exceptional: Wick ahead by 2 levels."] and procedure.over


def test_equal_results_are_the_gms_to_judge():
    procedure = fate(a_name="Crows", opposed=True, b_name="Wick")
    said = [str(procedure.on_roll(Table([procedure]), part, {"result": "partial"})) for part in ("a", "b")]
    assert said[1] == "Crows mixed, Wick mixed: equal, and the GM says what that means."


def test_a_side_that_fell_is_not_rolled_again_with_the_other():
    procedure = fate(a_name="Crows", opposed=True, b_name="Wick")
    procedure.on_roll(Table([procedure]), "b", {"result": "bad"})
    roll = procedure.next_roll(Table([procedure]))
    assert roll is not None and (roll.part, roll.ask.note) == ("a", "Crows")


@pytest.mark.parametrize(
    ("asked", "field"),
    [({"a_more": 1}, "a_why"), ({"opposed": True, "b_more": -1, "a_name": "A", "b_name": "B"}, "b_why")],
)
def test_dice_more_or_fewer_have_a_reason(asked, field):
    with pytest.raises(ValueError, match="Say where") as refused:
        fate(**asked)
    assert refused.value.field == field


@pytest.mark.parametrize("names", [{"a_name": "Crows"}, {"b_name": "Wick"}, {"a_name": "Wick", "b_name": "Wick"}])
def test_two_sides_are_called_differently(names):
    with pytest.raises(Refused, match="Give each side its own name"):
        fate(opposed=True, **names)


def test_a_hidden_crew_is_no_trait_to_roll():
    known = Crew(id="wick", name="The Wick", tier=2)
    hidden = Crew(id="hive", name="The Hive", tier=3, hidden=True)
    asked = next(one for one in Fortune.acts["open"].asks if one.name == "a_trait")
    words = [str(words) for _, _, words in asked.choices(Fortune(), Table([known, hidden]))]
    assert "2: Tier of The Wick" in words and not [one for one in words if "Hive" in one]
