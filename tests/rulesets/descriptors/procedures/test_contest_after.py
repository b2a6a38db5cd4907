"""What follows from a contest: what the rules leave open is chosen by whose it is, once, and undone with the roll."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.services.members import remove_member
from campaigns.services.play import close_scene
from rolls.models import Roll
from rolls.services.rolls import correct_roll
from tests.rulesets.descriptors.procedures.contests import (
    card,
    crossed,
    put,
    rolled,
)

pytestmark = pytest.mark.usefixtures("scene")


def test_a_gm_settles_for_who_has_left_what_falls_on_them_after_the_scene(fighters, dice):
    table = fighters
    contest = rolled(table, dice, (9, 8, 2), (6, 4))
    remove_member(table.gm, table.other, key=uuid4())
    close_scene(table.gm, key=uuid4())
    assert [one["name"] for one in card(table)["waits"]] == ["Bob"]
    table.do(table.gm, contest, "cross", whom="b")
    assert (crossed(table, table.bob), table.there()) == ([2], [])


@pytest.mark.parametrize(
    ("gone", "words"),
    [
        ([], "Bob crosses off box 2. Bob may take a level 2 Injury instead."),
        ([2], "Box 2 is gone, so Bob crosses off box 3 and takes a level 3 Injury."),
        ([2, 3], "Box 2 is gone, so Bob crosses off box 4 and takes a level 4 Injury. Bob is out of the scene."),
        (
            [2, 3, 4],
            "Box 2 is gone and no higher box is free, so Bob takes a level 4 Injury. Bob is out of the scene.",
        ),
    ],
)
def test_the_feed_and_the_staged_card_say_the_same_of_what_falls_on_the_loser(fighters, dice, gone, words):
    table = fighters
    put(table.bob, power_boxes=4, **{f"power_{box}": True for box in gone})
    rolled(table, dice, (9, 8, 2), (6, 4))
    (row,) = [row for row in card(table)["staged"].rows if row.about == "Bob"]
    told = [event.described for event in table.events() if event.kind == "rolls.roll_made"]
    assert (row.words, [one["falls"] for one in told]) == (words, [words])


def test_a_corrected_roll_of_0_1_0_leaves_what_falls_on_the_loser_to_the_table(fighters, dice):
    table = fighters
    put(table.bob, power_2=True)
    rolled(table, dice, (9, 8, 2), (6, 4))
    roll = Roll.objects.get()
    older = {side: {name: roll.ask[side][name] for name in roll.ask[side] if name != "crossed"} for side in "ab"}
    Roll.objects.filter(pk=roll.pk).update(ask=roll.ask | older)
    correct_roll(table.gm, roll.pk, {"note": "put right"}, key=uuid4())
    (row,) = card(table)["staged"].rows
    assert row.words == "Abigail may make a Scene Descriptor with 2 dice."
