"""Pool against pool that the GM calls for: what stands against the player, and whose it is."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Invalid
from characters.models import Character
from rolls.models import Audience, Roll
from rolls.services.requests import Call, ask_for_roll
from rolls.services.settings import change_settings
from rolls.settings import RollSettings
from rulesets.descriptors.settings import Settings
from rulesets.descriptors.table import DescriptorsTable
from rulesets.descriptors.terms import DescriptorsInput
from tests.answers import refusal
from tests.rulesets.descriptors.table.test_play import oppose
from tests.sheets import create_character

WALL = {"against": "Shield wall 4", "versus": "the door guard"}


def ask(play, audience=Audience.TABLE, **terms):
    return ask_for_roll(play.gm, Call(DescriptorsInput(**terms)), member=play.mo.pk, audience=audience, key=uuid4())


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (WALL, "Roll against the door guard: Shield wall 4"),
        ({"against": "4"}, "Roll against 4 dice"),
        ({"against": "their fear of fire 2 + 1"}, "Roll against their fear of fire 2 + 1 die"),
    ],
)
def test_a_request_says_what_it_asks_in_words(play, asked, words):
    ask(play, **asked)
    assert play.events()[-1].described["request"]["words"] == words


def test_the_player_rolls_against_what_the_gm_has_set(play):
    request = ask(play, Audience.SELF, **WALL)
    assert DescriptorsTable().request_fields(request.terms) == WALL
    made = oppose(play, (5, 9), (4, 6, 1, 2), request=request.pk, against="shield  wall 4", versus="")
    assert (made.event.described["b"]["words"], made.ask["versus"]) == ("Shield wall 4", "the door guard")
    assert made.audience == "self"
    request.refresh_from_db()
    assert request.closed_at


@pytest.mark.parametrize("seen", [{"against": "Luck 41"}, {"against": "Shield wall 3"}, {"versus": "Vesper"}])
def test_nothing_is_rolled_by_who_saw_something_else(play, seen):
    request = ask(play, against="Luck 4 + 1", versus="the door guard")
    (field,) = seen
    refused = refusal(Conflict, oppose, play, (5,), (4,), request=request.pk, **{"against": "Luck 4 + 1"} | seen)
    assert (refused.field, refused.current) == (
        field,
        DescriptorsTable().request_fields(request.terms)[field],
    )
    assert not Roll.objects.exists()


def test_a_descriptor_of_who_is_named_brings_its_own_dice(play):
    values = {"descriptors": [{"id": "a1", "name": "Agent 7", "dice": 3, "category": "Abilities"}]}
    create_character(campaign=play.campaign, name="Orsolya", system="descriptors", sheet=values)
    request = ask(play, against="agent 7 + 1", versus="orsolya")
    assert DescriptorsTable().request_fields(request.terms) == {"against": "Agent 7 3 + 1", "versus": "Orsolya"}
    made = oppose(play, (5,), (1, 2, 3, 4), request=request.pk, against="Agent 7 3 + 1", versus="Orsolya")
    assert made.ask["b"]["dice"] == 4


def test_players_are_not_asked_to_stand_against_somebody_they_do_not_know(play):
    Character.objects.create(campaign=play.campaign, name="Umbra", shown=False)
    assert refusal(Invalid, ask, play, Audience.GM, against="4", versus="umbra").field == "versus"
    assert play.events(play.mo.stream) == []


def test_a_table_where_each_side_needs_a_die_asks_as_well(play):
    change_settings(play.gm, RollSettings((Settings(fewest_dice=1),)), key=uuid4())
    assert ask(play, against="1")
    with pytest.raises(Invalid):
        ask(play, against="0")


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"against": ""}, "against"),
        ({"against": "shield wall"}, "against"),
        ({"against": "1000000"}, "against"),
        ({"against": "4", "versus": "x" * 81}, "versus"),
        ({"against": "+".join(["a 1"] * 60)}, "against"),
    ],
)
def test_what_the_rules_do_not_know_is_not_asked_for(play, asked, field):
    assert refusal(Invalid, ask, play, **asked).field == field
    assert play.kinds() == []
