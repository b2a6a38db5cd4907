"""A quick roll stays as short as it is; what follows from it is settled as after a contest."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Forbidden
from rolls.models import Audience, Roll
from rolls.services.rolls import correct_roll, make_roll, void_roll
from rulesets.descriptors.terms import DescriptorsInput
from tests import dice as loaded
from tests.answers import refusal
from tests.rulesets.descriptors.procedures.contests import drawn
from tests.sheets import rewrite


def roll(table, by=None, faces=(9, 8, 7, 3, 2), audience=Audience.TABLE, **ask) -> Roll:
    """Roll, by default as Abigail with 3 successes."""
    loaded.unload()
    loaded.load(*faces)
    asked = DescriptorsInput(**{"character": table.abigail.pk, "pool": "3", "against": "2", "versus": "Bob"} | ask)
    return make_roll(by or table.player, asked, audience=audience, key=uuid4())


def open_one(table, who=None):
    return next((drawn(one) for one in table.there(who) if one["kind"] == "contest"), None)


@pytest.fixture(autouse=True)
def real_dice_afterwards():
    yield
    loaded.unload()


def test_a_roll_against_a_bare_pool_leaves_the_winner_a_scene_descriptor_to_make(table, scene):
    roll(table, versus="the tide")
    told = open_one(table)
    assert [row.words for row in told["staged"].rows] == ["Abigail may make a Scene Descriptor with 3 dice."]
    assert table.said() == ""
    contest = table.campaign.procedures.get(kind="contest")
    with pytest.raises(Forbidden):
        table.do(table.other, contest, "make", whom="a", name="Mine")
    table.do(table.player, contest, "make", whom="a", name="Out of the water")
    assert [one["chip"] for one in table.there()] == ["Out of the water 3D"]


def test_a_nameless_side_that_wins_begins_sentences_with_a_capital(table, scene):
    roll(table, faces=(2, 3, 4, 9, 8), versus="")
    staged = open_one(table)["staged"]
    assert staged.title == "The other side wins"
    assert staged.rows[0].words.startswith("The other side may make a Scene Descriptor with ")


def test_voiding_the_roll_drops_it_and_undoes_what_it_led_to(table):
    made = roll(table)
    contest = table.campaign.procedures.get(kind="contest")
    table.do(table.other, contest, "cross", whom="b")
    void_roll(table.gm, made.pk, key=uuid4())
    assert (table.now(table.bob).value("power_3"), table.there()) == (False, [])


def test_a_corrected_roll_is_settled_as_it_is_read_now(table):
    made = roll(table)
    correct_roll(table.gm, made.pk, {"note": "at the gate"}, key=uuid4())
    assert open_one(table)["staged"].title == "Abigail wins"
    contest = table.campaign.procedures.get(kind="contest")
    table.do(table.other, contest, "cross", whom="b")
    with pytest.raises(Blocked):
        correct_roll(table.gm, Roll.objects.get(voided_at=None).pk, {"note": "x"}, key=uuid4())


def test_what_others_did_not_see_does_not_follow_for_them(table):
    roll(table, audience=Audience.SELF)
    assert [open_one(table, who) is not None for who in (table.player, table.gm, table.other, table.watcher)] == [
        True,
        True,
        False,
        False,
    ]


def test_where_nobody_is_concerned_nothing_is_left_to_be_settled(table):
    roll(table, by=table.gm, character=None, versus="the tide")
    assert open_one(table, table.gm) is None


def test_without_will_or_out_of_the_scene_nobody_rolls_unless_a_gm_allows_it(table):
    rewrite(table.abigail, sheet={"out_of_scene": True})
    with pytest.raises(Blocked, match="out of this scene"):
        roll(table)
    assert refusal(Blocked, roll, table, by=table.gm).anyway == ("override", "1")
    made = roll(table, by=table.gm, override=True)
    assert made.event.payload["overridden"] == ["descriptors_out_of_scene"]
    rewrite(table.abigail, sheet={"will": 0})
    with pytest.raises(Blocked, match="no Will left"):
        roll(table)
