"""What is kept of rolls of pool against pool are codes, numbers and names; the words for them are drawn when they are read."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.models import Event
from characters.models import Character
from rolls.models import Roll
from rolls.services.amend import void_roll
from rolls.services.requests import Call, ask_for_roll, change_request
from rulesets.descriptors.events import ROLL_FOLLOWED
from rulesets.descriptors.table import RollInput
from rulesets.descriptors.table.card import SCHEMA
from rulesets.descriptors.table.follows import make_descriptor, make_stick, take_hit
from rulesets.descriptors.table.request import REQUEST
from tests.rulesets.descriptors.table.test_play import oppose
from tests.rulesets.told import names_in


@pytest.fixture
def bob(play) -> Character:
    return Character.objects.create(campaign=play.campaign, name="Bob", owner=play.other, system="descriptors")


def followed_roll(play, bob) -> Roll:
    """A won roll from which all followed that may."""
    roll = oppose(play, (9, 9, 9, 2, 1), (2, 2, 2), pool="Swordplay 3 + their Pride 2", against="3", versus="bob")
    take_hit(play.other, roll.pk, injury=True, name="Cut arm", key=uuid4())
    make_descriptor(play.gm, roll.pk, "Tied up", key=uuid4())
    make_stick(play.other, roll.pk, to=bob.pk, payer=bob.pk, key=uuid4())
    return roll


def test_payloads_of_rolls_hold_no_words_but_what_somebody_named(play, bob):
    void_roll(play.gm, followed_roll(play, bob).pk, key=uuid4())
    oppose(play, (1, 2), (1, 2))
    oppose(play, (3,), (9, 3), versus="a guard")
    told = [event.payload for event in Event.objects.filter(campaign=play.campaign, kind__startswith="rolls.roll_")]
    cards = [(payload["card"], SCHEMA) for payload in told]
    cards += [(event.payload, ROLL_FOLLOWED.schema) for event in play.events() if event.kind == ROLL_FOLLOWED]
    assert len(cards) == 7
    names = {name for one, schema in cards for name in names_in(one, schema)}
    assert names == {"Swordplay", "Pride", "Bob", "Tied up", "a guard", ""}


def test_rows_of_rolls_hold_no_words_either(play, bob):
    roll = Roll.objects.get(pk=followed_roll(play, bob).pk)
    kept = [
        roll.ask,
        roll.outcome,
        roll.ask["a"],
        roll.ask["b"],
        *roll.outcome["dice"],
        *roll.outcome["follows"].values(),
    ]
    assert not {"words", "headline", "detail", "why"} & {name for one in kept for name in one}


def test_a_card_says_what_it_said(play, bob):
    said = oppose(play, (9, 4), (9, 8, 5), pool="Luck 2").event.described
    assert [said[name] for name in ("words", "headline", "detail")] == [
        "Luck 2 against 3 dice",
        "Loss",
        "2 successes, target number 4",
    ]
    assert [[die and die["why"] for die in (pair["a"], pair["b"])] for pair in said["pairs"]] == [
        ["ignored: the other side has a 9 for it"] * 2,
        ["target number: the highest die left here", "success: beats 4"],
        [None, "success: beats 4"],
    ]


def test_what_followed_is_told_by_its_numbers_and_said_in_words(play, bob):
    followed_roll(play, bob)
    told = play.events()[-1]
    assert told.payload["done"] == [
        {"what": "hit", "who": "Bob", "box": None, "injury": 3, "out": False},
        {"what": "made", "name": "Tied up", "dice": 3},
        {"what": "stuck", "name": "Tied up", "dice": 3, "to": "Bob", "payer": "Bob"},
    ]
    assert told.described["done"] == [
        "Bob takes an Injury of 3.",
        "Scene Descriptor: Tied up 3D.",
        "Tied up 3D sticks to Bob: Bob pays 1 Will.",
    ]


def test_a_request_tells_its_pool_by_name_and_number(play):
    asked = ask_for_roll(play.gm, Call(RollInput(against="their fear of fire 2 + 1")), member=play.mo.pk, key=uuid4())
    change_request(play.gm, asked.pk, Call(RollInput(against="3", versus="the door guard")), key=uuid4())
    told = play.events()[-1]
    assert told.payload["before"]["terms"] == {
        "against": {"entries": [{"name": "fear of fire", "dice": 2, "theirs": True}], "unnamed": 1}
    }
    assert told.described["before"]["words"] == "A pool against their fear of fire 2 + 1 die"
    assert set(names_in(told.payload["request"]["terms"], REQUEST)) == {"the door guard"}
    assert told.described["request"]["fields"] == {"against": "3", "versus": "the door guard"}
