"""A trauma is chosen by who plays the character, once, and the last one retires (public rules, Stress and Trauma)."""

from __future__ import annotations

import pytest

from rules.acts import Actor
from rules.table import Table
from rulesets.forged.rows import Scoundrel, Trauma
from rulesets.forged.settings import DEFAULTS
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
