"""The overlay of a stream: by the spectator link, what a spectator sees; an address that asks for something else is told so."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import ClockVisibility
from campaigns.services import campaigns, play
from campaigns.services.clocks import Draft, make_clock
from rolls.models import Audience
from rolls.services.rolls import make_roll
from rulesets.storyteller.terms import StorytellerInput
from tests.answers import same_page
from tests.canaries import canary, must_be_free_of_secrets
from tests.doors import post, watch


@pytest.fixture
def token(cast):
    return watch(cast)


def address(token, **query):
    return f"{reverse('overlay', args=[token])}?{urlencode(query)}"


def shown(token, client=None, **query):
    return (client or Client()).get(address(token, **query)).content.decode()


def clock(person, name, visibility=ClockVisibility.VISIBLE):
    return make_clock(person.member, Draft(name, 6, visibility=visibility), key=uuid4())


def roll(person, audience=Audience.TABLE, note=""):
    return make_roll(person.member, StorytellerInput(dice=3, note=note), audience=audience, key=uuid4())


def test_it_needs_no_account_and_keeps_nothing_in_the_browser(token):
    browser = Client()
    answer = browser.get(address(token))
    assert answer.status_code == 200
    assert not browser.cookies and "no-store" in answer["Cache-Control"]
    assert f"/c/ashes/live/{token}/" in answer.content.decode()


def test_it_shows_a_spectators_parts_whoever_is_signed_in(cast, token):
    clock(cast.gm, canary("gm", "clock"), ClockVisibility.SECRET)
    clock(cast.gm, "The flood")
    roll(cast.gm, Audience.GM, note=canary("gm", "note"))
    play.say(cast.player.member, "Who goes there?", key=uuid4())
    pages = [shown(token, client, stay=0) for client in (Client(), cast.gm.client, cast.player.client)]
    for page in pages:
        must_be_free_of_secrets(page, "")
        assert "The flood" in page and 'class="card roll' not in page and "Who goes there?" not in page
    assert len(set(pages)) == 1


def test_what_a_gm_does_in_secret_changes_nothing_on_it(cast, token):
    roll(cast.player)
    before = Client().get(address(token, stay=0))
    roll(cast.gm, Audience.GM)
    clock(cast.gm, "Unseen", ClockVisibility.SECRET)
    assert same_page(Client().get(address(token, stay=0)), before)


def test_the_last_roll_is_there_from_the_start_only_where_it_stays(cast, token):
    roll(cast.player, note="The first")
    roll(cast.player, note="The last")
    assert "The last" not in shown(token)
    for query in ({"stay": 0}, {"preview": 1}):
        page = shown(token, **query)
        assert "The last" in page and "The first" not in page


@pytest.mark.parametrize("part", ["roll", "clocks", "scale", "major"])
def test_its_address_says_which_parts_it_shows(token, part):
    places = {"roll": 'id="feed"', "clocks": 'id="clocks"', "scale": 'id="scales"', "major": 'id="major-burns"'}
    page = shown(token, parts=part)
    assert [name for name, place in places.items() if place in page] == [part]


def test_it_shows_all_parts_where_its_address_says_nothing(token):
    page = shown(token)
    assert all(f'id="{name}"' in page for name in ("feed", "clocks", "scales", "major-burns"))
    assert 'data-size="1.5"' in page and 'data-stay="20"' in page


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ({"parts": "roll,chat"}, "An overlay has no part called “chat”. Its parts are: roll, clocks, scale, major."),
        ({"size": "9"}, "size: Ensure this value is less than or equal to 4."),
        ({"size": "big"}, "size: Enter a number."),
        ({"size": "nan"}, "size: Enter a number."),
        ({"stay": "-1"}, "stay: Ensure this value is greater than or equal to 0."),
        ({"stay": "9" * 400}, "stay: "),
        ({"part": "roll"}, "An overlay’s address has no “part”."),
        ({"parts": "\x00"}, "parts: Null characters are not allowed."),
    ],
)
def test_what_its_address_cannot_say_is_refused_in_words(token, query, words):
    answer = Client().get(address(token, **query))
    assert answer.status_code == 422
    assert words in answer.content.decode()


def test_its_address_says_in_which_language_it_is(token):
    answer = Client(HTTP_ACCEPT_LANGUAGE="en").get(address(token, lang="de"))
    assert answer["Content-Language"] == "de"
    page = answer.content.decode()
    assert '<html lang="de"' in page and "Overlay" in page
    assert '<html lang="en-gb"' in shown(token, Client(HTTP_ACCEPT_LANGUAGE="de"), lang="en-gb")
    assert '<html lang="de"' in shown(token, Client(HTTP_ACCEPT_LANGUAGE="de"))


def test_it_ends_with_the_link(cast, token):
    renewed = watch(cast)
    assert Client().get(address(token)).status_code == 404
    assert Client().get(address(renewed)).status_code == 200
    campaigns.stop_watching(cast.gm.member, key=uuid4())
    answer = Client().get(address(renewed))
    assert answer.status_code == 404 and "spectator link is off" in answer.content.decode()


def test_gms_get_its_address_with_the_link_and_it_works(cast):
    answer = post(cast.gm.client, "spectator_link", "ashes", on="1")
    link = answer.context["overlay_link"]
    assert link in answer.content.decode()
    assert Client().get(link).status_code == 200
    assert link == f"{answer.context['watch_link']}overlay/"


def test_many_rolls_make_it_no_larger(cast, token, patience):
    roll(cast.player)
    before = len(shown(token, stay=0))
    for _ in range(20):
        roll(cast.player)
    assert abs(len(shown(token, stay=0)) - before) < 500
