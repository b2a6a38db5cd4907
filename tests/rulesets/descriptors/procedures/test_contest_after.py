"""What follows from a contest: what the rules leave open is chosen by whose it is, once, and undone with the roll."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Conflict, Forbidden
from campaigns.services.members import remove_member
from campaigns.services.play import close_scene
from characters.services.fields import set_field
from rolls.models import Roll
from rolls.services.procedures import take_back_step
from rolls.services.rolls import correct_roll, void_roll
from tests.rolls.steps import newest_step
from tests.rulesets.descriptors.procedures.contests import (
    begin,
    card,
    chip,
    crossed,
    put,
    ready,
    rolled,
    sides,
    use,
)

pytestmark = pytest.mark.usefixtures("scene")


def test_the_winner_makes_a_scene_descriptor_and_the_loser_crosses_off_the_box_once(fighters, dice):
    table = fighters
    contest = rolled(table, dice, (9, 8, 2), (6, 4))
    with pytest.raises(Conflict):
        table.do(table.player, contest, "cross", whom="a")
    with pytest.raises(Forbidden):
        table.do(table.player, contest, "cross", whom="b")
    table.do(table.other, contest, "cross", whom="b")
    assert table.said() == "Bob crossed off box 2."
    with pytest.raises(Conflict, match="can’t be done now"):
        table.do(table.other, contest, "injure", whom="b", name="Cut")
    table.do(table.player, contest, "make", whom="a", name="Out of breath")
    (lies,) = table.there()
    (row,) = lies["staged"]["rows"]
    assert (lies["kind"], row["words"], row["detail"]) == ("scene_descriptor", "Out of breath", "2D by Abigail")
    assert (crossed(table, table.bob), table.rows(table.bob, "injuries")) == ([2], [("Broken arm", 2)])
    with pytest.raises(Blocked):
        table.do(table.other, contest, "cross", whom="b")


def test_a_box_by_the_length_of_ones_own_track_and_the_last_one_takes_one_out_until_the_scene_ends(fighters, dice):
    table = fighters
    put(table.bob, power_boxes=3)
    contest = rolled(table, dice, (9, 8, 7), (6, 4))
    words = "Bob crosses off box 3. Bob is out of the scene. Bob may take a level 3 Injury instead."
    assert words in str(card(table)["staged"].rows)
    roll = Roll.objects.get()
    assert roll.outcome["after"]["falls"]["box"] == 3
    table.do(table.other, contest, "cross", whom="b")
    assert table.now(table.bob).value("out_of_scene") is True
    with pytest.raises(Blocked, match="out of this scene") as refused:
        begin(table, a=table.bob, b=table.abigail, by=table.other)
    assert refused.value.anyway is None
    close_scene(table.gm, key=uuid4())
    assert table.now(table.bob).value("out_of_scene") is False
    assert crossed(table, table.bob) == [3]


def test_the_last_will_is_announced_pays_the_roll_and_takes_one_out(fighters, dice):
    table = fighters
    put(table.abigail, will=1)
    contest = begin(table)
    use(table, table.player, contest, "a", chip(table.abigail))
    assert sides(table)[0].warnings
    dice(9, 8, 7)
    ready(table, contest)
    assert (table.will(table.abigail), table.now(table.abigail).value("out_of_scene")) == (0, True)
    close_scene(table.gm, key=uuid4())
    assert table.now(table.abigail).value("out_of_scene") is True, "until a Refreshment Scene"


def test_a_gm_settles_for_who_has_left_what_falls_on_them_after_the_scene(fighters, dice):
    table = fighters
    contest = rolled(table, dice, (9, 8, 2), (6, 4))
    remove_member(table.gm, table.other, key=uuid4())
    close_scene(table.gm, key=uuid4())
    assert [one["name"] for one in card(table)["waits"]] == ["Bob"]
    table.do(table.gm, contest, "cross", whom="b")
    assert (crossed(table, table.bob), table.there()) == ([2], [])


def test_voiding_the_roll_undoes_all_that_followed_and_both_get_ready_anew(fighters, dice):
    table = fighters
    contest = rolled(table, dice, (9, 8, 2), (6, 4))
    table.do(table.other, contest, "injure", whom="b", name="Cut arm")
    table.do(table.player, contest, "make", whom="a", name="Out of breath")
    void_roll(table.gm, Roll.objects.get().pk, key=uuid4())
    assert not any(side.marks for side in sides(table))
    assert (table.will(table.abigail), table.will(table.bob)) == (9, 9)
    assert table.rows(table.bob, "injuries") == [("Broken arm", 2)]
    dice(2, 2, 2, 9, 8)
    ready(table, contest)
    assert card(table)["staged"].title == "Bob wins"


def test_the_last_step_back_gives_back_what_a_choice_has_written(fighters, dice):
    table = fighters
    contest = rolled(table, dice, (9, 8, 2), (6, 4))
    table.do(table.other, contest, "cross", whom="b")
    take_back_step(table.gm, contest.pk, step=newest_step(contest), key=uuid4())
    assert crossed(table, table.bob) == []
    table.do(table.other, contest, "cross", whom="b")
    assert crossed(table, table.bob) == [2]


def test_once_what_follows_is_settled_the_roll_is_not_corrected(fighters, dice):
    table = fighters
    contest = rolled(table, dice, (9, 8, 2), (6, 4))
    table.do(table.other, contest, "cross", whom="b")
    with pytest.raises(Blocked):
        correct_roll(table.gm, Roll.objects.get().pk, {"note": "x"}, key=uuid4())


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


def test_a_box_that_is_marked_by_hand_before_it_is_settled_is_told(fighters, dice):
    table = fighters
    rolled(table, dice, (9, 8, 2), (6, 4))
    set_field(table.other, table.now(table.bob), "power_2", True, expected=False, key=uuid4())
    words = "Box 2 is gone, so Bob crosses off box 3 and takes a level 3 Injury."
    assert table.said() == f"The hit on Bob changed. {words}"
    assert words in str(card(table)["staged"].rows)


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
