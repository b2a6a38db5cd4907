"""What an operation means in play is told in one line, to all who may see it on the sheet."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.models import Event, Role
from campaigns.services.undo import caused, undo
from characters.reasons import Reason
from characters.services.cards import Card, make_character
from characters.services.fields import mark_resources, undo_change
from characters.services.sheet_writes import take_steps
from characters.sheets.steps import Add, Put, Shift
from tests.characters.operations import change, inside, last, lines

WHY = Reason("test_of_states", "for the test")


@pytest.fixture
def made(cast, all_systems):
    mo = cast.player.member
    return lambda system: make_character(mo, Card("Wren", "", mo), system=system, key=uuid4())


def write(cast, character, *steps):
    inside(cast.gm.member, lambda work: take_steps(work, _found(work, character), steps, why=WHY))


def _found(work, character):
    character.refresh_from_db()
    character.campaign = work.campaign
    return character


def test_what_writes_three_fields_is_one_line(cast, made):
    wren, first = made("forged"), last()
    write(cast, wren, Shift("stress", 8))
    first = last()
    write(cast, wren, Put("stress", 0), Put("trauma_cold", True), Add("harm_2", {"name": "Broken hand"}))
    assert lines(first) == [
        "Wren takes level 2 harm: Broken hand and suffers trauma: Cold (for the test)",
    ]
    assert Event.objects.filter(id__gt=first).count() == 3


def test_new_harm_says_that_the_healing_begins_anew_and_a_load_what_goes_with_it(cast, made):
    wren = made("forged")
    write(cast, wren, Put("healing", 2), Put("armor", True), Add("items", {"name": "Rope", "carried": True}))
    first = last()
    write(cast, wren, Add("harm_1", {"name": "Bruised"}), Put("healing", 0))
    wren.refresh_from_db()
    rope = wren.sheet["items"][0]["id"]
    write(cast, wren, Put("load", "light"), Put("armor", False), Put(f"items/{rope}/carried", False))
    assert lines(first) == [
        "Wren takes level 1 harm: Bruised (for the test)",
        "Wren chooses a load: Light (for the test)",
    ]


def test_what_the_line_does_not_cover_has_its_own(cast, made):
    wren, first = made("descriptors"), last()
    write(cast, wren, Put("power_3", True), Shift("will", -1))
    assert lines(first) == ["Wren crosses off Power box 3 (for the test)", "Wren: Will from 9 to 8 (for the test)"]


def test_a_refreshment_is_told_as_that(cast, made):
    wren = made("descriptors")
    write(cast, wren, Put("power_3", True), Put("power_5", True), Put("will", 0), Put("out_of_scene", True))
    first = last()
    clear = (Put("power_3", False), Put("power_5", False), Put("will", 9), Put("out_of_scene", False))
    write(cast, wren, *clear)
    assert lines(first) == ["Wren is refreshed: Will 9, Power track clear (for the test)"]


def test_it_is_told_where_the_sheet_is_and_to_nobody_else(cast, made):
    wren, first = made("descriptors"), last()
    mark_resources(cast.player.member, wren, {"power_2": 1}, key=uuid4())
    (event,) = Event.objects.filter(id__gt=first).with_related()
    assert event.stream.name == cast.player.member.stream
    change(cast.player.member, wren, opened=True)
    first = last()
    mark_resources(cast.player.member, wren, {"out_of_scene": 1}, key=uuid4())
    (event,) = Event.objects.filter(id__gt=first).with_related()
    assert event.stream.name == "table" and lines(first, Role.SPECTATOR) == ["Wren is out of the scene"]


def test_taken_back_it_says_what_it_is_again(cast, made):
    wren = made("storyteller")
    cause = uuid4()

    def written(work):
        with caused(work, cause):
            take_steps(work, _found(work, wren), [Put("lethal", 7), Put("willpower_now", 0)], why=WHY)

    inside(cast.gm.member, written)
    first = last()
    inside(cast.gm.member, lambda work: undo(work, cause, WHY))
    assert lines(first) == [
        "Wren: Current Willpower from 0 to 3 (for the test)",
        "Wren is no longer incapacitated (for the test)",
    ]
    mark_resources(cast.player.member, wren, {"lethal": 1}, key=uuid4())
    first = last()
    undo_change(cast.player.member, wren, key=uuid4())
    assert lines(first) == ["Wren: Lethal from 1 to 0 (undone)"]


def test_each_character_of_an_operation_has_a_line_of_its_own(cast, made):
    wren, other = made("descriptors"), made("descriptors")
    first = last()

    def both(work):
        for one in (wren, other):
            take_steps(work, _found(work, one), [Put("power_1", True), Put("power_2", True)], why=WHY)

    inside(cast.gm.member, both)
    said = "crosses off Power boxes 1, 2 (for the test)"
    assert lines(first) == [f"Wren {said}", f"Wren (2) {said}"]
