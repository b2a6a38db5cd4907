"""Rolls that are asked of somebody for one of their characters, whoever is at hand."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked
from characters.models import Character
from rolls.services.requests import Call, ask_for_roll, change_request
from rulesets.arc.table import ArcInput
from rulesets.storyteller.table.ask import StorytellerInput

REACTION = ArcInput(kind="reaction")


@pytest.fixture
def wren(checks):
    """Return Mo's second character, of other rules."""
    return Character.objects.create(campaign=checks.campaign, name="Wren", system="storyteller", owner=checks.mo)


def call(character, **more):
    return Call(ArcInput(kind="reaction", character=character.pk, **more))


def asked(checks, member, character, **more):
    return ask_for_roll(checks.gm, call(character), member=member and member.pk, key=uuid4(), **more)


def test_a_roll_is_made_for_the_character_that_it_is_asked_for(checks, wren):
    request = asked(checks, checks.mo, checks.silas)
    told = checks.events()[-1].payload["request"]["character"]
    assert (request.character, told["name"]) == (checks.silas, "Silas Grey")
    roll = checks.roll(5, kind="reaction", request=request.pk, character=wren.pk, stat="", skill="")
    assert (roll.character, roll.outcome["result"]) == (checks.silas, "success")


@pytest.mark.parametrize("whose", ["everybody", "somebody else", "other rules"])
def test_it_says_for_whom_only_where_one_member_plays_that_one_by_these_rules(checks, wren, whose):
    request = {
        "everybody": lambda: asked(checks, None, checks.silas),
        "somebody else": lambda: asked(checks, checks.other, checks.silas),
        "other rules": lambda: asked(checks, checks.mo, wren),
    }[whose]()
    assert request.character is None
    assert checks.events()[-1].payload["request"]["character"] is None


def test_other_rules_are_asked_of_whomever_the_player_says(checks, wren):
    request = asked(checks, checks.mo, checks.silas)
    change_request(checks.gm, request.pk, Call(StorytellerInput(traits=("wits",))), key=uuid4())
    request.refresh_from_db()
    assert (request.system, request.character) == ("storyteller", None)


def test_who_does_not_play_that_one_any_more_is_told_so(checks):
    request = asked(checks, checks.mo, checks.silas)
    Character.objects.filter(pk=checks.silas.pk).update(owner=checks.other)
    with pytest.raises(Blocked) as refused:
        checks.roll(5, kind="reaction", request=request.pk, stat="", skill="")
    assert "You no longer play Silas Grey" in refused.value.message
