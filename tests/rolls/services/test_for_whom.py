"""Rolls that are asked of somebody for one of their characters, whoever is at hand."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Blocked, Invalid, InvalidForm, NotFound
from campaigns.models import Role, Viewer
from characters.models import Character
from rolls.models import Audience, RollRequest
from rolls.queries.requests import open_requests, players_by_game
from rolls.registry import RULESETS
from rolls.services.requests import Call, ask_every_player, ask_for_roll, change_request
from rulesets.arc.terms import ArcInput
from rulesets.forged.terms import ActionTerms
from rulesets.storyteller.terms import StorytellerInput
from tests.answers import refusal
from tests.cast import person
from tests.stored import reread

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


def test_whoever_plays_the_character_is_asked(checks):
    request = asked(checks, None, checks.silas)
    assert (request.member, request.character) == (checks.mo, checks.silas)


def test_a_character_is_asked_of_nobody_else_and_by_no_other_rules(checks, wren):
    for member, character in ((checks.other, checks.silas), (None, checks.vesper)):
        with pytest.raises(NotFound):
            asked(checks, member, character)
    refused = refusal(Invalid, asked, checks, checks.mo, wren)
    assert (refused.field, "Wren" in refused.message) == ("system", True)
    request = asked(checks, checks.mo, checks.silas)
    with pytest.raises(Invalid):
        change_request(checks.gm, request.pk, Call(StorytellerInput(traits=("wits",))), key=uuid4())
    request.refresh_from_db()
    assert (request.system, request.character) == ("arc", checks.silas)


def test_every_player_of_a_mixed_table_is_asked_for_their_own_game(checks):
    request = ask_for_roll(checks.gm, Call(REACTION), audience=Audience.SELF, key=uuid4())
    told = checks.events("gm")[-1].payload["request"]
    assert [person["name"] for person in told["waits_for"]] == [checks.mo.name]
    seen = {one: open_requests(Viewer(checks.campaign, one, Role.PLAYER)) for one in (checks.mo, checks.other)}
    assert (len(seen[checks.mo]), seen[checks.other]) == (1, [])
    assert not checks.events(checks.other.stream)
    with pytest.raises(NotFound):
        checks.roll(5, by=checks.other, kind="reaction", request=request.pk, character=None, stat="", skill="")
    checks.roll(5, kind="reaction", request=request.pk, stat="", skill="")
    assert reread(request).closed_at


def test_every_player_is_asked_by_no_rules_that_nobody_plays_by(checks, wren):
    assert refusal(Invalid, ask_for_roll, checks.gm, Call(ActionTerms(action="prowl")), key=uuid4()).field == "system"


def test_one_operation_asks_every_player_in_their_own_game(checks):
    corvina_plays = Call(StorytellerInput(traits=("wits",)), reason="smoke")
    key = uuid4()
    for _again in range(2):
        ask_every_player(checks.gm, [Call(REACTION, reason="smoke"), corvina_plays], audience=Audience.SELF, key=key)
    asked = RollRequest.objects.order_by("system")
    assert [(one.system, one.reason, one.audience) for one in asked] == [
        ("arc", "smoke", "self"),
        ("storyteller", "smoke", "self"),
    ]
    seen = {one: open_requests(Viewer(checks.campaign, one, Role.PLAYER)) for one in (checks.mo, checks.other)}
    assert [request["system"] for request in seen[checks.mo]] == ["arc"]
    assert [request["system"] for request in seen[checks.other]] == ["storyteller"]
    by_players = {event.uid for one in (checks.mo, checks.other) for event in checks.events(one.stream)}
    assert by_players == {event.uid for event in checks.events("gm")}, "an event has one uid in all its streams"


def test_nobody_is_asked_where_one_of_several_games_refuses(checks):
    for wrong, field in (
        (StorytellerInput(traits=("wits",), difficulty=11), "storyteller-difficulty"),
        (ActionTerms(action="prowl"), "forged-system"),
    ):
        refused = refusal(
            InvalidForm,
            ask_every_player,
            checks.gm,
            [Call(REACTION), Call(wrong)],
            audience=Audience.TABLE,
            key=uuid4(),
        )
        assert list(refused.errors) == [field]
        assert refused.message.startswith(f"{RULESETS[wrong.system].short}: ")
    assert not RollRequest.objects.exists()


def test_who_has_no_character_is_asked_in_the_first_game_of_a_mixed_table(checks):
    newcomer = person("nia").join(checks.gm, Role.PLAYER)
    games = players_by_game(checks.campaign)
    assert list(games) == [system for system in checks.campaign.systems if system in games]
    assert [system for system, asked in games.items() if newcomer in asked] == list(games)[:1]


def test_who_does_not_play_that_one_any_more_is_told_so(checks):
    request = asked(checks, checks.mo, checks.silas)
    Character.objects.filter(pk=checks.silas.pk).update(owner=checks.other)
    assert (
        "You no longer play Silas Grey"
        in refusal(Blocked, checks.roll, 5, kind="reaction", request=request.pk, stat="", skill="").message
    )
