"""Who is out of a scene, as scenes open and close (descriptors.txt, Will, line 2)."""

from __future__ import annotations

from uuid import uuid4

from campaigns.services.play import close_scene, end_session, open_scene, start_session
from characters.services.fields import set_field
from rulesets.descriptors.panels import clinging
from tests.sheets import rewrite


def put(character, **values):
    rewrite(character, sheet=values)


def is_out(table, character):
    return table.now(character).value("out_of_scene")


def test_who_has_no_will_is_told_and_marked_out_as_a_scene_opens(table):
    start_session(table.gm, "", key=uuid4())
    put(table.abigail, will=0)
    put(table.warden, will=0)
    set_field(table.gm, table.now(table.warden), "unlimited_will", True, expected=False, key=uuid4())
    open_scene(table.gm, "Roof", key=uuid4())
    assert [is_out(table, one) for one in (table.abigail, table.bob, table.warden)] == [True, False, False]
    stream = table.player.stream
    (told,) = [event for event in table.events(stream) if event.kind == "characters.field_changed"]
    assert told.described["why"] == "no Will left: needs a Refreshment Scene"


def test_who_was_put_out_by_the_track_may_join_the_next_scene_and_who_has_no_will_may_not(table, scene):
    put(table.abigail, will=4, power_6=True, out_of_scene=True)
    put(table.bob, will=0, out_of_scene=True)
    close_scene(table.gm, key=uuid4())
    assert [is_out(table, one) for one in (table.abigail, table.bob)] == [False, True]
    assert table.now(table.abigail).value("power_6") is True, "the box stays crossed off"
    end_session(table.gm, key=uuid4())


def test_the_panel_says_who_is_out(table, scene):
    put(table.abigail, will=0, out_of_scene=True)
    put(table.bob, will=3, out_of_scene=True)
    assert clinging(table.viewer(table.gm))["out"] == [
        {"name": "Abigail", "will": False},
        {"name": "Bob", "will": True},
    ]
    assert [one["name"] for one in clinging(table.viewer(table.player))["out"]] == ["Abigail"]
