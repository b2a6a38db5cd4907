"""A roll that a player announces: the GM sets its difficulty, and says whether it may go without dice."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Forbidden
from rolls.events import request_words
from rolls.models import Audience, RollRequest
from rolls.queries.requests import asked_for
from rolls.services.requests import announce_roll, change_request
from tests.rolls.services.test_requests import call

TRAITS = ("perception", "alertness")


def announce(play, **terms):
    """Announce a roll of Silas."""
    wish = call("", character=play.silas.pk, **terms)
    return announce_roll(play.mo, wish, audience=Audience.TABLE, key=uuid4())


def answer(play, request, *faces, **ask):
    return play.roll(*faces, dice=None, traits=TRAITS, request=request.pk, **ask)


def test_the_gm_sets_the_difficulty_of_what_a_player_announces(play):
    request = announce(play, traits="perception+alertness", difficulty=2)
    assert request_words(asked_for(request)) == "Perception + Alertness"
    change_request(play.gm, request.pk, call(traits="perception+alertness", difficulty=8), key=uuid4())
    roll = answer(play, request, 8, 8, 7, 7, 2, difficulty=8)
    assert (roll.by, roll.ask["difficulty"], roll.outcome["total"]) == (play.mo, 8, 2)


def test_a_player_asks_for_an_automatic_success_and_the_gm_allows_it(play):
    request = announce(play, traits="perception+alertness", automatic=True)
    assert request_words(asked_for(request)) == "Perception + Alertness, asks for an automatic success"
    terms = {"traits": "perception+alertness", "difficulty": 5, "automatic": True}
    change_request(play.gm, request.pk, call(**terms), key=uuid4())
    request.refresh_from_db()
    assert request_words(asked_for(request)) == "Perception + Alertness, difficulty 5, automatic success allowed"
    assert answer(play, request, difficulty=5, automatic=True).outcome["total"] == 1


def test_what_the_gm_does_not_allow_is_rolled(play):
    request = announce(play, traits="perception+alertness", automatic=True)
    change_request(play.gm, request.pk, call(traits="perception+alertness", difficulty=5), key=uuid4())
    with pytest.raises(Forbidden):
        answer(play, request, difficulty=5, automatic=True)


def test_the_form_leaves_the_difficulty_to_the_gm_by_a_choice_of_its_own(play, cast):
    page = cast.player.client.get(reverse("table", args=[play.campaign.slug])).content.decode()
    assert '<option value="7">7 challenging</option>' in page and '<option value="" data-announces>' in page
    assert "data-announces" not in cast.gm.client.get(reverse("table", args=[play.campaign.slug])).content.decode()


def test_before_the_difficulty_is_set_there_are_no_odds(play, cast):
    typed = {"system": "storyteller", "pool": "5", "difficulty": ""}
    url = reverse("odds", args=[play.campaign.slug])
    assert "odds-bar" in cast.player.client.get(url, typed).content.decode()
    assert "odds-bar" not in cast.player.client.get(url, typed | {"announce": "on"}).content.decode()


def test_the_forms_announcement_becomes_a_request_without_a_difficulty(play, cast):
    typed = {"system": "storyteller", "character": play.silas.pk, "pool": "perception + alertness", "announce": "on"}
    cast.player.client.post(reverse("roll", args=[play.campaign.slug]), typed | {"key": uuid4(), "automatic": "on"})
    request = RollRequest.objects.get()
    assert (request.announced, request.terms) == (True, {"kind": "action", "automatic": True, "traits": [*TRAITS]})
