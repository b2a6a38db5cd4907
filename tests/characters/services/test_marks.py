"""Marking resources at the table: by how much, whoever presses beside one."""

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from campaigns.models import Event
from characters.services.cards import Card, lock_sheet, make_character
from characters.services.fields import mark_resources, undo_change
from tests.stored import reread


def mark(person, character, name, by=1):
    found = mark_resources(person.member, character, {name: by}, key=uuid4())
    character.refresh_from_db()
    return found


def told(character):
    return [
        (event.payload["cell"]["field"], event.payload["after"])
        for event in Event.objects.filter(
            kind="characters.field_changed", subjects__key=character.subject.key
        ).order_by("id")
    ]


def test_two_who_press_at_once_both_count(cast, silas):
    mark(cast.gm, silas, "lethal")
    mark(cast.player, silas, "lethal")
    assert told(silas) == [("lethal", 1), ("lethal", 2)]
    assert Event.objects.latest("id").payload["figures"] == [
        {"name": "state", "values": [2, 1]},
        {"name": "health", "values": ["lethal", "lethal", "", "", "", "", "", 1]},
    ]


def test_there_is_no_more_and_no_less_than_the_sheet_has(cast, silas):
    mark(cast.player, silas, "willpower_now", -3)
    with pytest.raises(Invalid, match="0"):
        mark(cast.player, silas, "willpower_now", -1)
    mark(cast.gm, silas, "bashing", 5)
    with pytest.raises(Invalid, match="Health levels: 7 in total, 5 already taken"):
        mark(cast.gm, silas, "lethal", 3)
    assert told(silas) == [("willpower_now", 0), ("bashing", 5)]


def test_a_track_moves_as_one_and_can_be_undone(cast, all_systems):
    ana = make_character(cast.player.member, Card("Ana", owner=cast.player.member), system="descriptors", key=uuid4())
    mark(cast.gm, ana, "power", 2)
    mark(cast.player, ana, "power", -1)
    assert (ana.value("power_1"), ana.value("power_2")) == (True, False)
    undo_change(cast.player.member, ana, key=uuid4())
    assert reread(ana).value("power_2")


def test_one_is_moved_against_another_in_one_act(cast, silas):
    mark(cast.gm, silas, "bashing", 7)
    mark_resources(cast.gm.member, silas, {"bashing": -1, "lethal": 1}, key=uuid4())
    assert told(silas)[1:] == [("bashing", 6), ("lethal", 1)]
    with pytest.raises(Invalid):
        mark_resources(cast.gm.member, silas, {"bashing": -1, "lethal": 2}, key=uuid4())
    assert told(silas)[3:] == []


def test_a_gm_marks_a_locked_sheet(cast, silas):
    lock_sheet(cast.gm.member, silas, key=uuid4())
    mark(cast.gm, silas, "lethal")
    assert told(silas) == [("lethal", 1)]


@pytest.mark.parametrize("name", ["", "strength", "notes", "wounds", "\x00"])
def test_what_is_no_resource_is_refused(cast, silas, name):
    with pytest.raises(Invalid):
        mark(cast.gm, silas, name)
    assert told(silas) == []
