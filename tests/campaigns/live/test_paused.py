"""A pause reaches every page: at once, after a lost notification, and when a page comes back. It is no event of any stream."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest

from campaigns.live.campaign_feed import behind
from campaigns.models.members import PAUSED
from campaigns.services.safety import pause_play, resume_play
from tests.campaigns.live.clients import Client, act, heads, opened, say, settled
from tests.cast import seat_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@act
def pause(person):
    pause_play(person.member, key=uuid4())


@act
def resume(cast):
    resume_play(cast.gm.member, key=uuid4())


def told(client):
    """Return what each beat said about a pause."""
    return [frame.get("paused") for frame in client.frames if frame["t"] == "beat"]


async def test_everybody_is_told_that_play_is_paused_and_that_it_goes_on(cast, sit):
    feed = await opened(cast.campaign.slug)
    clients = [await sit(feed, seat_at(one.member), dict(feed.heads)) for one in (cast.gm, cast.player, cast.spectator)]
    await pause(cast.player)
    await feed.pull()
    for client in clients:
        await settled(lambda client=client: told(client)[-1:] == [PAUSED])
    await resume(cast)
    await feed.pull()
    for client in clients:
        await settled(lambda client=client: told(client) == [None, PAUSED, None])
        assert not client.events
    frames = [[frame for frame in client.frames if frame.get("paused")] for client in clients]
    assert frames[0][0]["paused"] == frames[1][0]["paused"] and "heads" in frames[0][0]


async def test_each_page_reads_it_in_its_own_language(cast, sit):
    feed = await opened(cast.campaign.slug)
    client = await sit(feed, seat_at(cast.player.member), dict(feed.heads))
    german = Client(feed, seat_at(cast.gm.member), language="de")
    await pause(cast.player)
    await feed.pull()
    await settled(lambda: told(client)[-1:] == [str(PAUSED)])
    german.writer.beat()
    beat = json.loads(german.writer._asides[-1])
    assert (
        beat["paused"].startswith("Lasst uns")
        and told(client)[-1] == "Let’s stop here for a moment. Someone asked to. No one has to say why."
    )


async def test_it_comes_with_what_was_said_just_before_it(cast, sit):
    feed = await opened(cast.campaign.slug)
    client = await sit(feed, seat_at(cast.player.member), dict(feed.heads))
    await say(cast.gm, "And then")
    await pause(cast.player)
    await feed.pull()
    await settled(lambda: len(client.events) == 1 and told(client)[-1] == PAUSED)


async def test_a_page_that_comes_back_is_told_how_it_stands_now(cast, sit):
    await pause(cast.player)
    feed = await opened(cast.campaign.slug)
    away = await sit(feed, seat_at(cast.gm.member), await heads(seat_at(cast.gm.member)))
    assert told(away) == [PAUSED]
    await resume(cast)
    await feed.pull()
    again = await sit(feed, seat_at(cast.gm.member), await heads(seat_at(cast.gm.member)))
    assert told(again) == [None]


async def test_the_poll_makes_up_for_a_notification_that_was_lost(cast):
    feed = await opened(cast.campaign.slug)
    assert await behind([feed]) == []
    await pause(cast.player)
    assert await behind([feed]) == [feed]
    await feed.pull()
    assert (feed.paused, await behind([feed])) == (PAUSED, [])
