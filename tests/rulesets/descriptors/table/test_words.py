"""What is kept of rolls of pool against pool are codes, numbers and names; the words for them are drawn when they are read."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import translation

from campaigns.live.render import render_line, render_live
from campaigns.models import Event, Role
from characters.models import Character
from rolls.services.requests import Call, ask_for_roll, change_request
from rulesets.descriptors.settings import DEFAULTS
from rulesets.descriptors.table import RequestTerms
from rulesets.descriptors.templatetags.descriptors import followed
from rulesets.descriptors.terms import DescriptorsInput, read_pool
from tests.rulesets.descriptors.legacy import tell_followed
from tests.rulesets.descriptors.table.test_play import oppose
from tests.rulesets.told import names_in


@pytest.fixture
def bob(play) -> Character:
    return Character.objects.create(campaign=play.campaign, name="Bob", owner=play.other, system="descriptors")


DONE = [
    {"what": "hit", "who": "Bob", "box": None, "injury": 3, "out": False},
    {"what": "made", "name": "Tied up", "dice": 3},
    {"what": "stuck", "name": "Tied up", "dice": 3, "to": "Bob", "payer": "Bob"},
]
SAID = ["Bob took a level 3 Injury.", "Scene Descriptor: Tied up 3D.", "Tied up 3D stuck to Bob. Bob paid 1 Will."]


def test_a_card_says_what_it_said(play, bob):
    said = oppose(play, (9, 4), (9, 8, 5), pool="Luck 2").event.described
    assert [said[name] for name in ("words", "headline", "detail")] == [
        "Luck 2 against 3 dice",
        "Loss",
        "2 successes, target number 4",
    ]
    assert [[die and die["why"] for die in (pair["a"], pair["b"])] for pair in said["pairs"]] == [
        ["Ignored: cancelled by the other side’s 9"] * 2,
        ["Target number: this side’s highest die left", "Success: beats 4"],
        [None, "Success: beats 4"],
    ]


def test_logs_from_before_contests_settled_what_follows_still_say_it(play, bob):
    roll = oppose(play, (9, 9, 9), (2, 2), pool="3", against="2", versus="bob")
    tell_followed(play.gm, roll.pk, DONE, key=uuid4())
    event = play.events()[-1]
    assert (event.described["words"], event.described["done"]) == (SAID[-1], SAID)
    assert SAID[-1] in render_line(event, Role.PLAYER)
    assert all(line in render_live(event, Role.PLAYER) for line in SAID)
    assert followed(Event.objects.get(pk=roll.event.pk)) == SAID


def test_a_request_tells_its_pool_by_name_and_number(play):
    asked = ask_for_roll(
        play.gm, Call(DescriptorsInput(against="their fear of fire 2 + 1")), member=play.mo.pk, key=uuid4()
    )
    change_request(play.gm, asked.pk, Call(DescriptorsInput(against="3", versus="the door guard")), key=uuid4())
    told = play.events()[-1]
    assert told.payload["before"]["terms"] == {
        "against": {"entries": [{"name": "fear of fire", "dice": 2, "theirs": True}], "unnamed": 1}
    }
    assert told.described["before"]["words"] == "Roll against their fear of fire 2 + 1 die"
    assert set(names_in(told.payload["request"]["terms"], RequestTerms)) == {"the door guard"}
    assert told.described["request"]["fields"] == {"against": "3", "versus": "the door guard"}


@pytest.mark.parametrize("written", ["deren Angst vor Feuer 2 + 1", "their Angst vor Feuer 2 + 1"])
def test_a_descriptor_of_the_other_side_is_written_in_ones_own_language_or_in_english(written):
    with translation.override("de"):
        pool = read_pool("pool", written, None, None, DEFAULTS)
        assert [(entry.name, entry.theirs) for entry in pool.entries] == [("Angst vor Feuer", True)]
        assert (pool.typed, pool.told) == ("deren Angst vor Feuer 2 + 1", "deren Angst vor Feuer 2 + 1 Würfel")


def test_the_card_of_a_roll_is_in_the_language_of_whoever_reads_it(play, bob):
    roll = oppose(play, (9, 4), (9, 8, 5), pool="Luck 2")
    assert roll.event is not None
    with translation.override("de"):
        said = roll.event.described
    assert (said["headline"], said["detail"]) == ("Niederlage", "2 Erfolge, Zielzahl 4")
