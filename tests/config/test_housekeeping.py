"""`manage.py housekeeping` deletes what is of no use any more, and nothing else."""

from datetime import timedelta
from io import StringIO
from uuid import uuid4

import pytest
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from campaigns.models import ApiToken, Event, IdempotencyKey, Presence
from campaigns.services import idempotency
from campaigns.services.log import happening_at
from campaigns.services.members import make_token, revoke_token
from campaigns.services.play import say

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]


def kept_house():
    told = StringIO()
    call_command("housekeeping", stdout=told)
    return told.getvalue()


def ago(**time):
    return timezone.now() - timedelta(**time)


def cached():
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM cache")
        return cursor.fetchone()[0]


def test_keys_of_operations_are_forgotten_after_a_month(cast, monkeypatch):
    monkeypatch.setattr(idempotency, "AT_ONCE", 2)
    old, young = [uuid4() for _ in range(5)], uuid4()
    for key in old:
        with happening_at(ago(days=31)):
            say(cast.player.member, f"Long ago {key}", key=key)
    with happening_at(ago(days=29)):
        said = say(cast.player.member, "Not so long ago", key=young)
    events = Event.objects.count()
    assert "Deleted 5 operation keys older than 30 days" in kept_house()
    assert not IdempotencyKey.objects.filter(key__in=old)
    assert say(cast.player.member, "Not so long ago", key=young) == said
    assert Event.objects.count() == events


def test_sessions_that_expired_are_deleted_and_others_go_on(cast):
    cast.player.client.get("/")
    Session.objects.create(session_key="x" * 32, session_data="", expire_date=ago(seconds=1))
    kept_house()
    assert not Session.objects.filter(session_key="x" * 32)
    assert cast.player.client.get("/").context["user"] == cast.player.user


def test_what_expired_in_the_cache_is_deleted(cast):
    cache.clear()
    cache.set("stale", 1, timeout=-5)
    cache.set("fresh", 1, timeout=60)
    assert "Deleted 1 expired cache entries" in kept_house()
    assert cached() == 1 and cache.get("fresh") == 1


def test_dead_sockets_are_forgotten_and_live_ones_stay(cast):
    for minutes in (0, 9, 11):
        Presence.objects.create(campaign=cast.campaign, membership=cast.player.member, seen_at=ago(minutes=minutes))
    assert "1 traces of dead sockets" in kept_house()
    assert Presence.objects.count() == 2


def test_sqlite_knows_how_much_there_is_of_what(cast):
    say(cast.player.member, "Something", key=uuid4())
    told = kept_house()
    assert ("SQLite’s query planner" in told) == (connection.vendor == "sqlite")
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM sqlite_stat1 WHERE tbl = 'campaigns_event'")
            assert cursor.fetchone()[0]


def test_tokens_that_ended_long_ago_are_forgotten(cast):
    made = {}
    for name, days in (("ran out", 1), ("runs", 365), ("revoked", 365)):
        with happening_at(ago(days=100)):
            made[name] = make_token(cast.player.member, name, writes=False, days=days, key=uuid4())
    with happening_at(ago(days=95)):
        revoke_token(cast.player.member, made["revoked"].pk, key=uuid4())
        young = make_token(cast.player.member, "ran out lately", writes=False, days=10, key=uuid4())
    assert "2 tokens that ended more than 90 days ago" in kept_house()
    assert {*ApiToken.objects.all()} == {made["runs"], young}
