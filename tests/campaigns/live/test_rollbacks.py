"""Open pages after the database was put back without a word: they load anew what they show of what is gone."""

from __future__ import annotations

from contextlib import contextmanager

import pytest
from django.db import connection

from campaigns.live.socket_writer import RESEATED
from campaigns.models import Event, EventIndex, EventPayload, EventSubject, Stream
from campaigns.models.members import TABLE
from tests.campaigns.live.clients import act, say
from tests.campaigns.live.sockets import Socket, browser, socket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@contextmanager
def unguarded(cursor):
    """Disable the triggers that protect the log."""
    if connection.vendor == "postgresql":
        cursor.execute("ALTER TABLE campaigns_event DISABLE TRIGGER event_no_change")
        yield
        cursor.execute("ALTER TABLE campaigns_event ENABLE TRIGGER event_no_change")
        return
    cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'campaigns_event'")
    triggers = cursor.fetchall()
    for name, _ in triggers:
        cursor.execute(f"DROP TRIGGER {name}")
    yield
    for _, made in triggers:
        cursor.execute(made)


@act
def put_back(campaign):
    """Remove the last event of the table, as a restored database without notice would."""
    with connection.cursor() as cursor, unguarded(cursor):
        last = Event.objects.filter(campaign=campaign, stream__name=TABLE).latest("seq")
        for kind in (EventPayload, EventIndex, EventSubject):
            kind.objects.filter(event=last).delete()
        last.delete()
    before = Event.objects.filter(campaign=campaign, stream__name=TABLE).latest("seq")
    Stream.objects.filter(campaign=campaign, name=TABLE).update(seq=before.seq, head=before.hash)


async def place(link):
    """Return the position of a socket's page after these frames, as its first message says it."""
    last = {frame["stream"]: frame for frame in link.frames if frame["t"] == "event"}
    return {
        "since": {name: frame["seq"] for name, frame in last.items()},
        "hashes": {name: frame["hash"] for name, frame in last.items()},
    }


async def test_pages_that_show_what_a_rollback_took_are_loaded_anew(cast, board):
    client = await browser(cast.player)
    async with socket(cast.campaign.slug, client) as link:
        await say(cast.gm, "Lost")
        assert "Lost" in (await link.event())["html"]
        await put_back(cast.campaign)
        await board.poll(beat=False)
        assert await link.end() == RESEATED
    async with socket(cast.campaign.slug, client) as again:
        assert not any("Lost" in frame.get("html", "") for frame in again.frames)
        await say(cast.gm, "Said instead")
        assert "Said instead" in (await again.event())["html"]


@pytest.mark.parametrize("words", [(), ("Said instead",), ("Said instead", "and on")])
async def test_a_page_that_was_away_in_a_rollback_is_loaded_anew_however_long_the_log_is_by_now(cast, board, words):
    client = await browser(cast.player)
    async with socket(cast.campaign.slug, client) as link:
        await say(cast.gm, "Lost")
        await link.event()
    board.feeds.clear()  # the server was stopped in between
    await put_back(cast.campaign)
    for one in words:
        await say(cast.gm, one)
    back = Socket(cast.campaign.slug, client)
    assert (await back.connect(timeout=30))[0]
    await back.send_json_to(await place(link))
    assert await back.end() == RESEATED
    assert back.events == []


async def test_what_follows_another_event_than_was_read_has_the_pages_loaded_anew_at_once(cast, board):
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        await say(cast.gm, "Lost")
        await link.event()
        await put_back(cast.campaign)
        await say(cast.gm, "Said instead")
        await say(cast.gm, "and on")
        assert await link.end() == RESEATED
        assert not any("and on" in frame.get("html", "") for frame in link.frames)


async def test_a_page_that_stands_where_the_log_stands_goes_on(cast, board):
    client = await browser(cast.player)
    async with socket(cast.campaign.slug, client) as link:
        await say(cast.gm, "Kept")
        await link.event()
    back = Socket(cast.campaign.slug, client)
    assert (await back.connect(timeout=30))[0]
    await back.send_json_to(await place(link))
    assert [frame["t"] for frame in await back.beat()][-1] == "beat" and back.events == []
    await back.disconnect(timeout=30)
