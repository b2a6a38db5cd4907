"""What pages tell the service worker, which keeps some of them to be read without a network (static/js/service-worker.js)."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Membership
from campaigns.services import play
from campaigns.services.campaigns import show_as_sample
from characters.models import Character
from characters.services.cards import Card, make_character

pytestmark = pytest.mark.django_db

SESSION = "/c/ashes/sessions/1/"


@pytest.fixture
def silas(cast) -> str:
    """Return the address of the player's sheet; there is a session as well."""
    play.start_session(cast.gm.member, "", key=uuid4())
    card = Card("Silas Grey", "", cast.player.member, True)
    return reverse("character", args=["ashes", make_character(cast.player.member, card, key=uuid4()).pk])


def kept(client, url) -> tuple[int, str | None, str | None, bool]:
    """Return the status, whose the page says it is, whether it is to be kept, and whether it has the words for that."""
    answer = client.get(url)
    return answer.status_code, answer.get("X-User"), answer.get("X-Keep"), b'id="away"' in answer.content


def test_each_page_says_whose_it_is_and_only_what_is_the_readers_own_is_kept(cast, silas):
    for who in (cast.gm, cast.player, cast.other_player, cast.spectator):
        own = "yes" if who is cast.player else None
        assert kept(who.client, silas) == (200, str(who.user.pk), own, bool(own))
        for url, keeps in ((SESSION, "yes"), ("/", "yes"), ("/c/ashes/", None), ("/notices/", None)):
            assert kept(who.client, url) == (200, str(who.user.pk), keeps, bool(keeps))
    for who in (cast.outsider, cast.removed):
        for url in (silas, SESSION):
            assert kept(who.client, url) == (404, str(who.user.pk), None, False)
    for url in ("/", reverse("account_login"), "/away/"):
        assert kept(Client(), url) == (200, "", None, False)


def test_the_sheet_of_the_crew_is_kept_by_all_who_play(cast, silas):
    Character.objects.update(is_crew=True, owner=None)
    assert kept(cast.other_player.client, silas)[2] == "yes"


def test_neither_a_preview_nor_a_page_for_strangers_is_kept(cast, silas):
    cast.gm.client.post(reverse("see_as", args=["ashes"]), {"as": cast.player.member.pk})
    for url in (silas, SESSION):
        assert kept(cast.gm.client, url)[2:] == (None, False)
    show_as_sample(cast.campaign)
    for client, user in ((Client(), ""), (cast.outsider.client, str(cast.outsider.user.pk))):
        assert kept(client, SESSION) == (200, user, None, False)


def test_what_is_sent_in_parts_or_as_data_says_nothing_of_it(cast, silas):
    for url in ("/c/ashes/dates/?part=next", "/manifest.webmanifest"):
        assert "X-Keep" not in cast.player.client.get(url)
    assert "X-User" not in cast.player.client.get("/manifest.webmanifest")


def test_a_browser_that_fetches_a_session_to_keep_it_is_no_visit(cast, silas):
    def here():
        return Membership.objects.get(pk=cast.player.member.pk).here_at

    assert cast.player.client.get(SESSION, headers={"X-Keep": "yes"}).status_code == 200 and here() is None
    assert cast.player.client.get(SESSION).status_code == 200 and here()


def test_the_first_page_names_the_newest_session_and_ones_own_sheets(cast, silas):
    assert cast.player.client.get("/").context["keeps"] == [SESSION, silas]
    assert f'data-keeps="{SESSION} {silas}"' in cast.player.client.get("/").content.decode()
    assert cast.other_player.client.get("/").context["keeps"] == [SESSION]
    for nobodys in (cast.outsider, cast.removed):
        assert 'data-keeps=""' in nobodys.client.get("/").content.decode()


def test_the_page_in_place_of_those_that_are_not_kept_is_kept_without_the_words_of_a_copy(cast):
    assert kept(cast.player.client, "/away/") == (200, str(cast.player.user.pk), "yes", False)


def test_the_service_worker_answers_to_the_whole_site_and_to_everyone():
    answer = Client().get("/service-worker.js")
    assert answer["Content-Type"].startswith("text/javascript") and b"showNotification" in answer.content
    assert b'const AWAY = {"page": "/away/", "script": "/static/js/away' in answer.content
    assert answer["Cache-Control"] == "max-age=3600" and "script-src 'self'" in answer["Content-Security-Policy"]
