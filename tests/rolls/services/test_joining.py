"""A stranger's add-on takes part in rolls: it counts their dice, adds some, holds them up, and undoes what it did."""

from __future__ import annotations

from dataclasses import dataclass, field
from uuid import uuid4

import pytest

from campaigns.errors import Blocked
from campaigns.models import Role, Viewer
from campaigns.schema import Schema
from rolls.context import Panels
from rolls.joining import Marks, RollHook, Told
from rolls.panels import Panel, Slot
from rolls.registry import ADD_ONS
from rolls.ruleset import AddOn
from rolls.services.amend import correct_roll, void_roll


@dataclass(eq=False)
class Tides(RollHook):
    """Lets the water rise by one with every roll of the table's."""

    water: int = 0
    extra: int = 0
    holds: bool = False
    keeping: bool = False
    followed: list[str] = field(default_factory=list)

    def extra_dice(self, context):
        return self.extra if context.has_dice else 0

    def odds(self, context, terms):
        return [f"the water is at {self.water}"]

    def held(self, context):
        if self.holds:
            raise Blocked("The flood has to fall first.")

    def marks(self, context, roll):
        return Marks(given=(1,) * len(roll.faces), aside="moon")

    def after(self, work, context, roll):
        self.water += 1
        return Told(payload={"tide": self.water}, follow=lambda event: self.followed.append(event.kind))

    def take_back(self, work, roll):
        self.water -= 1
        return Told(payload={"tide": self.water})

    def keeps(self, old, new):
        return Marks() if self.keeping else None

    def hand_over(self, old, new):
        return {"tide": self.water}


class Tide(Schema):
    tide: int


class TidesAddOn(AddOn):
    name = "tides"
    label = "Tides"
    short = "Tide"
    schema = Tide

    def joins(self, names, settings):
        return True

    def aside(self, why, roll):
        return f"The {why} stays"


@pytest.fixture
def tides(monkeypatch):
    """Return the only add-on, so that whatever is told is its own."""
    found, add_on = Tides(), TidesAddOn()
    add_on.hook = found
    for name in list(ADD_ONS):
        monkeypatch.delitem(ADD_ONS, name)
    monkeypatch.setitem(ADD_ONS, "tides", add_on)
    return found


def test_what_it_does_is_told_with_the_roll_and_what_it_tells_comes_after(play, tides):
    roll = play.roll(9, 2)
    assert (roll.event.described["tide"], roll.event.described["asides"]) == (1, ["The moon stays"])
    assert [(die["given"], die["given_to"]) for die in roll.event.described["dice"]] == [(1, "Tide"), (1, "Tide")]
    assert tides.followed == ["rolls.roll_made"]
    assert "scale" not in roll.event.described


def test_its_dice_come_into_the_pool(play, tides):
    tides.extra = 2
    assert play.roll(9, 2, 5, 6, dice=2).faces == [9, 2, 5, 6]


def test_it_can_hold_a_roll_up_and_then_nothing_has_happened(play, tides):
    tides.holds = True
    with pytest.raises(Blocked, match="The flood has to fall first"):
        play.roll(9, 2)
    assert (tides.water, play.kinds()) == (0, [])


def test_it_undoes_its_part_when_a_roll_is_taken_back(play, tides):
    roll = play.roll(9, 2)
    void_roll(play.gm, roll.pk, key=uuid4())
    assert tides.water == 0
    assert [event.described["tide"] for event in play.events()] == [1, 0]


@pytest.mark.parametrize(("keeps", "told"), [(True, [1, None, 1]), (False, [1, 0, 1])])
def test_a_corrected_roll_keeps_what_followed_from_it_or_has_it_follow_anew(play, tides, keeps, told):
    tides.keeping = keeps
    roll = play.roll(9, 2)
    correct_roll(play.gm, roll.pk, {"difficulty": 8}, key=uuid4())
    assert [event.described.get("tide") for event in play.events()] == told
    assert tides.followed == ["rolls.roll_made"] + ["rolls.roll_corrected"] * (not keeps)


def test_its_panels_stand_where_it_says_and_one_without_a_context_is_left_out(play, tides, monkeypatch):
    asked = []

    class Water(Panel):
        def context(self, viewer, session):
            asked.append(viewer)
            return {"water": 3}

    class Nothing(Panel):
        def context(self, viewer, session):
            return None

    panels = (
        Water(Slot.SIDE, "tides/side.html"),
        Water(Slot.TOP, "tides/top.html"),
        Nothing(Slot.TOP, "tides/none.html"),
    )
    monkeypatch.setattr(ADD_ONS["tides"], "panels", panels)
    shown = Panels(Viewer(play.campaign, play.mo, Role.PLAYER))
    assert [(one.template, one.context) for one in shown["top"]] == [("tides/top.html", {"water": 3})]
    assert "tides/side.html" in [one.template for one in shown["side"]]
    assert shown["session"] == []
    assert len(asked) == 1
