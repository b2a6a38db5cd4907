"""While nothing can be written, people read and sign in and out; a change is refused in a sentence, and nothing of it is done."""

from __future__ import annotations

import resource
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

from bench.databases import new_databases
from bench.live_world import HOST, post, served, site
from campaigns.live.connections import find_viewers, lost_viewers
from campaigns.models import Event
from people.sessions import spare
from tests.cast import PASSWORD

LIMITS = {
    "sqlite": ("PRAGMA query_only = ON", "PRAGMA query_only = OFF"),
    "postgresql": ("SET default_transaction_read_only = on", "SET default_transaction_read_only = off"),
}


@contextmanager
def unwritable():
    on, off = LIMITS[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(on)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(off)


@pytest.fixture
def table(transactional_db, cast):
    cast.player.user.set_password(PASSWORD)
    cast.player.user.save()
    return cast


def signed_in(cast):
    client = Client()
    form = {"login": cast.player.user.username, "password": PASSWORD}
    answer = client.post(reverse("account_login"), form)
    assert answer.status_code == 302
    return client


def reads(client, cast):
    return client.get(reverse("table", args=[cast.campaign.slug])).status_code


def test_people_sign_in_and_read_every_page_and_what_is_not_noted_is_logged(table, caplog):
    with unwritable():
        client = signed_in(table)
        for page in ("table", "log", "members", "characters", "statistics"):
            assert client.get(reverse(page, args=[table.campaign.slug])).status_code == 200, page
    said = {record.getMessage() for record in caplog.records if record.levelname == "ERROR"}
    for what in ("a session", "when somebody signed in last", "where somebody is signed in", "that somebody was here"):
        assert any(f"left out: {what}" in one for one in said)


def test_their_sockets_are_let_in_and_stay(table):
    with unwritable():
        key = signed_in(table).session.session_key
        (viewer,) = find_viewers([(table.campaign.slug, key)])
        assert viewer and viewer.membership == table.player.member
        assert lost_viewers([(viewer, key)]) == {}


def test_a_session_goes_into_the_database_with_the_next_page_after_it(table):
    with unwritable():
        client = signed_in(table)
        key = client.session.session_key
        assert not Session.objects.filter(pk=key).exists()
    assert reads(client, table) == 200
    assert Session.objects.filter(pk=key).exists() and spare.of(key) is None
    assert reads(client, table) == 200


def test_who_signs_out_is_signed_out_though_the_row_stays(table):
    client = signed_in(table)
    key = client.cookies["sessionid"].value
    thief = Client()
    thief.cookies["sessionid"] = key
    with unwritable():
        client.post(reverse("account_logout"))
        assert Session.objects.filter(pk=key).exists()
        assert reads(thief, table) != 200
        assert find_viewers([(table.campaign.slug, key)]) == [None]


def test_a_cookie_that_is_no_key_is_nobodys(table):
    stranger = Client()
    for key in ("a b\t\x7f", "é" * 300, "%00"):
        assert find_viewers([(table.campaign.slug, key)]) == [None]
        stranger.cookies["sessionid"] = key
        assert reads(stranger, table) != 200


def test_attempts_are_counted_all_the_same(table):
    cache.set("before", 1)
    with unwritable():
        cache.set("attempts", [1])
        assert cache.get("attempts") == [1]
        assert cache.add("lock", True, 10) is True
        assert cache.add("lock", True, 10) is cache.add("before", 2, 10) is False
        cache.delete("lock")
        assert cache.add("lock", True, 10) is True
        cache.delete("lock")
    cache.set("attempts", [1, 2])
    assert cache.get("attempts") == [1, 2] and cache.get("before") == 1


@pytest.mark.parametrize("headers", [{}, {"HTTP_HX_REQUEST": "true"}])
def test_a_change_is_refused_in_a_sentence_and_nothing_of_it_is_done(table, headers):
    client, before = table.player.client, Event.objects.count()
    form = {"text": "canary", "voice": "player", "key": str(uuid4())}
    with unwritable():
        answer = client.post(reverse("compose", args=[table.campaign.slug]), form, **headers)
    assert answer.status_code == 503 and "Nothing can be saved right now" in answer.content.decode()
    assert Event.objects.count() == before
    assert client.post(reverse("compose", args=[table.campaign.slug]), form, **headers).status_code in (204, 302)
    assert Event.objects.count() == before + 1


def asked(port, path, session):
    with closing(HTTPConnection(HOST, port, timeout=30)) as link:
        link.request("GET", path, headers={"Cookie": f"sessionid={session}"})
        answer = link.getresponse()
        answer.read()
        return answer.status


@pytest.mark.only_on("sqlite")
def test_a_server_whose_files_cannot_grow_goes_on_showing_its_pages():
    """SQLite makes files beside a database to read it: they stay while the server lives."""
    with closing(new_databases("sqlite")) as urls:
        here = site(next(urls))
        (table,) = here.tables(1, 3, 5)
        session = table["sessions"]["gm"][0]
        with served(here) as (server,):
            usual = resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE)
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (1, usual[1]))
            for page in ("", "log/", "members/"):
                assert asked(server.port, f"/c/{table['slug']}/{page}", session) == 200
            with pytest.raises(RuntimeError, match=r"(?s)503.*Nothing can be saved"):
                post(server.port, table["slug"], session, "canary")
            resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, usual)
            post(server.port, table["slug"], session, "said again")
