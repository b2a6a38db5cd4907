"""Recovery at the table (descriptors.txt, "You make a Recovery roll against an Injury to get rid of it")."""

from __future__ import annotations

import pytest

from campaigns.errors import Invalid
from campaigns.models import Role, Viewer
from characters.models import Character
from rolls.models import Procedure, Roll
from rolls.registry import RULESETS
from tests.answers import refusal
from tests.rulesets.descriptors.procedures.contests import chip, drawn, put, row, use


@pytest.fixture
def hurt(table):
    """Abigail heals with Leechcraft 3; Bob has a Broken arm of 3 and Grit 1."""
    put(table.abigail, descriptors=[row(1, "Leechcraft", 3)])
    injuries = [{"id": "i1", "at": 1, "name": "Broken arm", "dice": 3}]
    put(table.bob, descriptors=[row(1, "Grit", 1)], injuries=injuries)
    return table


def begin(table, *helpers, by=None, **given) -> Procedure:
    given = {"injury": f"{table.bob.pk}/i1", "override": False} | given
    return table.begin(by or table.other, "recovery", helpers=[str(one.pk) for one in helpers], **given)


def card(table, who=None):
    return next((drawn(one) for one in table.there(who) if one["kind"] == "recovery"), None)


def test_successes_take_dice_off_the_injury_one_each(hurt, dice):
    table = hurt
    begun = begin(table, table.abigail)
    assert table.said() == "Bob started to recover from Broken arm 3D. Rolling: Abigail."
    use(table, table.player, begun, "a", chip(table.abigail))
    dice(9, 8, 2, 7, 6, 5)
    table.do(table.player, begun, "ready", whom="a")
    assert table.rows(table.bob, "injuries") == [("Broken arm", 1)]
    assert (table.will(table.abigail), table.will(table.bob)) == (8, 9)
    assert (card(table), "2 successes, 1D left" in str([one.described for one in table.events()])) == (None, True)


def test_the_injury_itself_is_no_dice_against_it_and_others_are(hurt):
    put(
        hurt.bob,
        injuries=[{"id": f"i{at}", "at": at, "name": name, "dice": 3} for at, name in ((1, "Broken arm"), (2, "Fury"))],
    )
    begun = begin(hurt, hurt.bob)
    (group,) = [group for group in offered(hurt, begun) if group["label"] == "Injuries"]
    assert [chip["name"] for chip in group["chips"]] == ["Fury"]
    refused = refusal(Invalid, use, hurt, hurt.other, begun, "a", f"{hurt.bob.pk}/injuries/i1")
    assert "no dice against itself" in refused.message
    use(hurt, hurt.other, begun, "a", f"{hurt.bob.pk}/injuries/i2")


def offered(table, begun):
    return (
        RULESETS["descriptors"]
        .procedures["recovery"]
        .forms["use"]
        .choices_in(Viewer(table.campaign, table.other, Role.PLAYER), begun, ("a",))["groups"]
    )


def test_a_lost_one_harms_nobody_and_is_read_as_no_fight(hurt, dice):
    table = hurt
    begun = begin(table, table.abigail)
    use(table, table.player, begun, "a", chip(table.abigail))
    dice(2, 2, 2, 9, 9, 9)
    table.do(table.player, begun, "ready", whom="a")
    roll = Roll.objects.get()
    assert (roll.kind, roll.outcome["after"]) == ("recovery", None)
    assert table.rows(table.bob, "injuries") == [("Broken arm", 3)]
    for one in (table.abigail, table.bob):
        assert not [box for box in range(1, 7) if table.now(one).value(f"power_{box}")]
    assert (table.will(table.bob), table.there()) == (9, [])


def test_injuries_on_sheets_that_one_may_not_read_are_neither_offered_nor_taken(hurt):
    with pytest.raises(Invalid):
        begin(hurt, hurt.abigail, by=hurt.player)
    with pytest.raises(Invalid):
        begin(hurt, hurt.abigail, injury="nothing")
    Character.objects.filter(pk=hurt.bob.pk).update(opened=True)
    begin(hurt, hurt.abigail, by=hurt.player)
