"""A trauma is chosen by who plays the character, once, and the last one retires (public rules, Stress and Trauma)."""

from __future__ import annotations

import pytest

from rules.acts import Actor
from rules.table import Table
from rulesets.forged.rows import FULL_HEAT, Crew, Scoundrel, Trauma
from rulesets.forged.rules import DEFAULTS
from rulesets.forged.sheet import TRAUMAS

MEMBERS = {1: Actor(characters=frozenset(["moth"])), 2: Actor(characters=frozenset(["cross"]))}


def full(**moth: object) -> tuple[Trauma, Table]:
    """Return the trauma of two, of whom Moth has this beside a full track."""
    trauma = Trauma(id="trauma", those=["moth", "cross"])
    those = [Scoundrel(id="moth", name="Moth", stress=9, **moth), Scoundrel(id="cross", name="Cross", stress=9)]
    return trauma, Table([trauma, *those], settings=DEFAULTS)


def choose(trauma: Trauma, table: Table, who: str, condition: str) -> str:
    line = trauma.take(table, trauma.acts["choose"], (table.get(Scoundrel, who), condition))
    table.settle()
    return str(line)


def test_each_may_choose_for_their_own_what_they_do_not_have():
    trauma, table = full(trauma_cold=True)
    offered = [(one.target[0].id, one.target[1], one.members) for one in trauma.offers(table, MEMBERS)]
    mine = [("moth", one, (1,)) for one in TRAUMAS if one != "cold"]
    assert offered == [*mine, *(("cross", one, (2,)) for one in TRAUMAS)]


def test_choosing_clears_the_track_and_ends_with_the_last():
    trauma, table = full()
    assert choose(trauma, table, "moth", "soft") == "Moth took a trauma: Soft."
    moth = table.get(Scoundrel, "moth")
    assert (moth.stress, moth.traumas, moth.in_play, trauma.over) == (0, ["soft"], True, False)
    assert [one.who for one in trauma.waits(table)] == ["cross"]
    choose(trauma, table, "cross", "cold")
    assert trauma.over


def test_the_fourth_trauma_retires():
    trauma, table = full(trauma_cold=True, trauma_soft=True, trauma_vicious=True)
    assert choose(trauma, table, "moth", "haunted") == "Moth took a trauma and retired: Haunted."
    assert not table.get(Scoundrel, "moth").in_play


@pytest.mark.parametrize("eased", [{"stress": 4}, {"in_play": False}])
def test_who_is_cleared_or_leaves_play_has_nothing_to_choose(eased):
    trauma, table = full()
    for name, value in eased.items():
        setattr(table.get(Scoundrel, "moth"), name, value)
    assert [one.who for one in trauma.waits(table)] == ["cross"]


@pytest.mark.parametrize(
    ("moth", "cross", "asked"),
    [
        ({"stress": 8}, {"stress": 8}, []),
        ({"stress": 9}, {"stress": 8}, ["moth"]),
        ({"stress": 9}, {"stress": 9}, ["moth", "cross"]),
        ({"stress": 9, "is_played": False}, {"stress": 9}, ["cross"]),
        ({"stress": 9, "in_play": False}, {"stress": 8}, []),
    ],
)
def test_full_stress_brings_one_choice_for_all_who_are_played(moth, cross, asked):
    rows = [Scoundrel(id="moth", name="Moth"), Scoundrel(id="cross", name="Cross")]
    table = Table(rows, settings=DEFAULTS)
    for row, values in zip(rows, (moth, cross), strict=True):
        for name, value in values.items():
            setattr(row, name, value)
    for _ in range(2):
        table.settle()
        assert [who for _kind, given in table.begun for who in given["those"]] == asked and len(table.begun) <= 1


def test_who_is_choosing_already_is_not_asked_again():
    _trauma, table = full()
    table.get(Scoundrel, "moth").coin = 1
    table.settle()
    assert table.begun == []


@pytest.mark.parametrize(("heat", "then"), [(8, (8, 1)), (9, (0, 2))])
def test_full_heat_raises_the_wanted_level_and_says_why(heat, then):
    crew = Crew(id="wick", heat=5, wanted=1)
    table = Table([crew], settings=DEFAULTS)
    crew.heat = heat
    table.settle()
    assert (crew.heat, crew.wanted) == then
    assert [change.why for change in table.changes()] == ([None] if heat < 9 else [None, FULL_HEAT])
