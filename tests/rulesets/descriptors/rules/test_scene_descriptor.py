"""Scene Descriptors on a table of plain objects: who can do what, and what stands then."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.acts import Actor
from rules.errors import NotPossible
from rules.table import Refused, Table
from rulesets.descriptors.procedures.scene_descriptor import SceneDescriptor
from rulesets.descriptors.rows import Hero
from rulesets.descriptors.settings import Settings

MEMBERS = {1: Actor(characters=frozenset({"abigail"})), 2: Actor(characters=frozenset({"bob"}))}


def tied(dice: int = 3, **payer: object) -> tuple[SceneDescriptor, Table]:
    there = [Hero(id="abigail", name="Abigail"), Hero(id="bob", name="Bob", **payer)]
    lies = SceneDescriptor(id="tied", name="Tied up", dice=dice, made_by_name="Bob")
    return lies, Table([lies, *there, Hero(id="shade", hidden=True)], by=MEMBERS[2], settings=Settings())


def press(lies: SceneDescriptor, table: Table, name: str, **asked: str) -> str:
    rules = lies.acts[name]
    given = {one.name: one.read(asked.get(one.name), lies, table) for one in rules.asks}
    return str(lies.take(table, rules, (), given))


STEPS = [
    ("reduce", 3, {}, 2, False, "Someone did something about it and it lost 1 die: “Tied up” 2D."),
    ("reduce", 1, {}, 1, True, "Someone did something about “Tied up” 1D, and it’s gone."),
    ("end", 3, {}, 3, True, "Someone did something about “Tied up” 3D, and it’s gone."),
    ("stick", 3, {"to": "abigail", "payer": "bob"}, 3, True, "“Tied up” 3D stuck to Abigail. Bob paid 1 Will."),
]


@pytest.mark.parametrize(("name", "dice", "asked", "left", "over", "line"), STEPS)
def test_anybody_makes_it_stick_and_a_gm_takes_it_away(name, dice, asked, left, over, line):
    lies, table = tied(dice)
    offers = {one.act.name: one.members for one in lies.offers(table, MEMBERS)}
    assert offers == {"stick": (1, 2), "reduce": (), "end": ()}
    assert press(lies, table, name, **asked) == line
    assert (lies.dice, lies.over, bool(lies.offers(table, MEMBERS))) == (left, over, not over)
    (stuck,) = table.get(Hero, "abigail").stuck.values() if asked else (None,)
    assert not asked or (stuck.name, stuck.dice, stuck.origin) == ("Tied up", 3, "Bob")


@given(will=st.integers(0, 3), unlimited=st.booleans())
def test_whoever_pays_has_the_will_and_is_out_with_the_last_of_it(will, unlimited):
    lies, table = tied(will=will, unlimited_will=unlimited)
    bob = table.get(Hero, "bob")
    if will or unlimited:
        press(lies, table, "stick", to="abigail", payer="bob")
        assert (bob.will, bob.out_of_scene) == ((will, False) if unlimited else (will - 1, will == 1))
    else:
        with pytest.raises(NotPossible, match="No Will left"):
            press(lies, table, "stick", to="abigail", payer="bob")


@pytest.mark.parametrize("asked", [{"to": "shade", "payer": "bob"}, {"to": "bob", "payer": "abigail"}])
def test_it_sticks_to_whom_all_know_and_ones_own_pays(asked):
    with pytest.raises(Refused, match="Choose from the list"):
        press(*tied(), "stick", **asked)


def test_it_ends_with_its_scene():
    lies, table = tied()
    assert str(lies.scene_ended(table)) == "“Tied up” 3D ended with the scene." and lies.over
