"""Nobody is sent a word that is not meant for them: every page, for everybody, with a canary in each private field."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from campaigns.access import viewer_of
from campaigns.live.render import render_live
from campaigns.models import Event
from campaigns.services import play
from campaigns.services.campaigns import show_as_sample, stop_watching
from campaigns.views import log
from campaigns.views.log import FORMS
from people.models import User
from rolls.queries.search import SOURCES
from tests.canaries import canary, must_be_free_of_secrets, numbers_of_gms
from tests.doors import watch, watcher
from tests.flows.checks import SECRETS
from tests.flows.matrix import MATRIX

PAGES = [name for name, (how, _, named) in MATRIX.items() if "GET" in how and not named]


@pytest.fixture(autouse=True)
def the_whole_feed_is_on_one_page(monkeypatch):
    monkeypatch.setattr(log, "PAGE", 10_000)


@pytest.fixture(autouse=True)
def the_ear_knows_the_numbers_of_checks():
    with numbers_of_gms(*SECRETS):
        yield


@pytest.fixture
def some_read_german(played, cast):
    """Let a player and the spectator read in German what others are sent in English: lines are kept in both."""
    readers = (cast.other_player.user.pk, cast.spectator.user.pk)
    User.objects.filter(pk__in=readers).update(language="de")


def test_every_page_of_everybody_is_free_of_what_others_know(some_read_german, cast):
    linked = watcher(cast)
    for client in (*(person.client for person in cast.everybody.values()), linked):
        for name in PAGES:
            # The suite's ear (tests/conftest.py) is at each of these answers.
            client.get(reverse(name, args=[cast.campaign.slug]))
    assert linked.get(reverse("table", args=[cast.campaign.slug])).status_code == 200


def test_nobody_finds_what_others_know(played, cast):
    def found(who, words, kind=""):
        return who.client.get(reverse("search", args=[cast.campaign.slug]), {"q": words, "kind": kind}).content.decode()

    for who in (cast.player, cast.other_player, cast.spectator):
        for kind in ("", *(source.name for source in SOURCES)):
            for words in ("canary", "anar", "", "/"):
                found(who, words, kind)
    # The words are there to be found.
    assert all("<mark>canary</mark>" in found(who, "canary") for who in (cast.gm, cast.player))


def test_every_page_of_the_sample_is_free_of_what_its_members_know(played, cast):
    stop_watching(cast.gm.member, key=uuid4())
    show_as_sample(cast.campaign)
    stranger = Client()
    for name in PAGES:
        stranger.get(reverse(name, args=[cast.campaign.slug]))
    for form in FORMS:
        stranger.get(reverse("log_export", args=[cast.campaign.slug]), {"as": form})
    table = stranger.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    assert "This is the sample table" in table and 'id="composer"' not in table and "data-me=" not in table


def test_the_overlay_is_free_of_what_members_know_though_a_gm_opens_it(played, cast):
    url = reverse("overlay", args=[watch(cast)])
    for client in (Client(), cast.player.client, cast.gm.client):
        answer = client.get(url, {"stay": 0})
        assert answer.status_code == 200 and 'class="card roll' in answer.content.decode()
        must_be_free_of_secrets(answer.content.decode(), "")


def test_the_log_is_taken_away_without_what_others_know(some_read_german, cast):
    for person in cast.everybody.values():
        for form in FORMS:
            person.client.get(reverse("log_export", args=[cast.campaign.slug]), {"as": form})
    taken = cast.gm.client.get(reverse("log_export", args=[cast.campaign.slug])).getvalue().decode()
    assert canary("gm", "notes") in taken and canary("mo", "whisper") in taken


def test_every_replay_is_free_of_what_others_know(played, cast):
    """In the second session nearly everything happens."""
    play.end_session(cast.gm.member, key=uuid4())
    heard = {}
    for name, person in cast.everybody.items():
        heard[name] = ""
        for number in (1, 2):
            # The suite's ear is at each of these answers, too.
            person.client.get(reverse("replay", args=[cast.campaign.slug, number]))
            url = reverse("replay_events", args=[cast.campaign.slug, number])
            while url:
                answer = person.client.get(url)
                heard[name] += answer.content.decode()
                url = answer.json()["further"] if answer.status_code == 200 else ""
    assert canary("mo", "whisper") in heard.get("player", canary("mo", "whisper"))
    assert all(canary("gm", what) in heard["gm"] for what in ("notes", "clock", "note") if "gm" in heard)


@pytest.mark.parametrize("language", ["en-gb", "de"])
def test_every_frame_is_free_of_what_others_know(played, cast, language):
    for person in (cast.player, cast.other_player, cast.spectator):
        viewer = viewer_of(person.user, {}, cast.campaign.slug)
        for event in Event.objects.seen_by(viewer).with_related().select_related("campaign"):
            with translation.override(language):
                must_be_free_of_secrets(render_live(event, viewer.role), person.user.username)


def test_the_canaries_were_there_to_be_heard(played, cast):
    seen = "".join(
        cast.gm.client.get(reverse(name, args=[cast.campaign.slug])).content.decode()
        for name in ("table", "storylines", "clocks", "characters")
    )
    for what in ("notes", "clock", "npc", "note"):
        assert canary("gm", what) in seen, what
    for total in (121, 113):
        assert f"<b>{total}</b>" in seen
    assert canary("mo", "whisper") in seen
