"""A process's side of the table: what the poll makes true again, whatever went wrong before."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest
from django.db import OperationalError

from campaigns.live import connections
from campaigns.live import connections as live
from campaigns.live import notifications as notifications
from campaigns.live.socket_writer import ANSWERED_IN, GONE, RESEATED, SILENT, SILENT_AFTER
from campaigns.models.members import TABLE
from campaigns.services import play
from tests.campaigns.live.clients import act, say, settled
from tests.campaigns.live.sockets import Socket, away, browser, knocks, quiet, socket

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@pytest.fixture
def deaf(monkeypatch):
    """Lose every notification."""
    monkeypatch.setattr(live.ConnectionManager, "_pull_soon", lambda *_: None)


def of(board, person):
    return next(one for one in board.sockets if one.viewer and one.viewer.membership == person.member)


async def heard_out(board, person):
    """Return a person's consumer, once it has read everything their client sent."""
    one = of(board, person)
    await settled(lambda: one._writer._acknowledged == one._writer._sent)
    return one


async def test_without_any_notification_the_poll_brings_what_is_new(cast, deaf, board):
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        await say(cast.gm, "Unheard of")
        await quiet(link)
        await board.poll(beat=False)
        assert "Unheard of" in (await link.event())["html"]


async def test_notifications_reach_the_feed_from_any_thread(cast, board):
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        await act(play.say)(cast.gm.member, "From a thread", key=uuid4())
        assert "From a thread" in (await link.event())["html"]
        for _ in range(5):
            notifications.tell(cast.campaign.pk)
        notifications.tell(uuid4())
        await quiet(link)


async def test_a_beat_tells_everybody_where_their_streams_stand(cast, board):
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        stood = dict(link.events)
        await board.poll(beat=True)
        assert (await link.beat())[-1]["heads"] == stood


async def asked(board, person):
    """Return the consumer of a person who came last, just after a beat has asked their client for an answer."""
    one = await heard_out(board, person)
    await board.poll(beat=True)
    return one


async def answers(board, person, link):
    await link.beat()
    await settled(lambda: of(board, person)._writer._due_at is None)


async def test_a_silent_socket_is_cut_and_one_that_speaks_is_not(cast, board, clock):
    slug = cast.campaign.slug
    async with socket(slug, await browser(cast.gm)) as brisk, socket(slug, await browser(cast.player)) as mute:
        await asked(board, cast.player)
        clock.now += SILENT_AFTER
        await answers(board, cast.gm, brisk)
        await board.poll(beat=False)
        assert len(board.sockets) == 2
        clock.now += 1
        await board.poll(beat=False)
        assert await mute.end() == SILENT
        await board.poll(beat=True)
        await brisk.beat()
        assert brisk.closed is None


async def test_who_was_not_asked_is_not_cut_however_long_that_lasts(cast, board, clock):
    """No beat is sent while the database is away or slow, so the silence is ours."""
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        await heard_out(board, cast.player)
        clock.now += 10 * SILENT_AFTER
        await board.poll(beat=True)
        clock.now += ANSWERED_IN
        await board.poll(beat=False)
        await answers(board, cast.player, link)
        clock.now += 1
        await board.poll(beat=False)
        assert len(board.sockets) == 1


async def test_who_is_silent_is_cut_although_the_database_is_away(cast, board, clock, monkeypatch):
    async with socket(cast.campaign.slug, await browser(cast.player)) as mute:
        await asked(board, cast.player)
        clock.now += SILENT_AFTER + 1
        with monkeypatch.context() as patch, pytest.raises(OperationalError):
            patch.setattr(live, "behind", away)
            await board.poll(beat=False)
        assert await mute.end() == SILENT


async def test_a_socket_that_never_says_a_word_is_cut_as_well(cast, board, clock):
    link = Socket(cast.campaign.slug, await browser(cast.player))
    await link.connect(timeout=30)
    await settled(lambda: board.sockets)
    clock.now += SILENT_AFTER + 1
    await board.poll(beat=False)
    assert await link.end() == SILENT
    await link.disconnect(timeout=30)


async def test_a_client_that_does_not_let_itself_be_closed_holds_up_nobody(cast, board, clock):
    slug = cast.campaign.slug
    async with socket(slug, await browser(cast.gm)) as brisk, socket(slug, await browser(cast.player)):
        stuck = await asked(board, cast.player)
        never, told = asyncio.Event(), []

        async def send(message):
            told.append(message["type"])
            await never.wait()

        stuck._send = send
        await answers(board, cast.gm, brisk)
        clock.now += SILENT_AFTER + 1
        await asyncio.wait_for(board.poll(beat=True), 3)
        await brisk.beat()
        await settled(lambda: "websocket.close" in told)
        assert stuck not in board.sockets
        never.set()


async def test_a_feed_is_not_given_up_while_somebody_is_looked_up_for_it(cast, deaf, board, monkeypatch):
    """A socket of a dropped feed would hear nothing, while its page showed itself as live."""
    finding, found = asyncio.Event(), asyncio.Event()
    plain = connections._viewers

    async def slowly(asked):
        finding.set()
        await found.wait()
        return await plain(asked)

    monkeypatch.setattr(connections, "_viewers", slowly)
    link = await knocks(cast.campaign.slug, await browser(cast.player))
    await asyncio.wait_for(finding.wait(), 3)
    await board.poll(beat=False)
    found.set()
    await link.beat()
    await say(cast.gm, "Do you hear me?")
    await board.poll(beat=False)
    assert "Do you hear me?" in (await link.event())["html"]
    await link.disconnect(timeout=30)


async def test_a_poll_reads_only_where_there_is_news(cast, deaf, board, monkeypatch):
    pulled = []
    plain = live.CampaignFeed.pull
    monkeypatch.setattr(live.CampaignFeed, "pull", lambda feed: pulled.append(feed.slug) or plain(feed))
    async with socket(cast.campaign.slug, await browser(cast.player)):
        await board.poll(beat=False)
        assert pulled == []
        await say(cast.gm, "News")
        await board.poll(beat=False)
        assert pulled == [cast.campaign.slug]


async def test_a_feed_that_nobody_uses_is_given_up(cast, board):
    async with socket(cast.campaign.slug, await browser(cast.player)):
        await board.poll(beat=False)
        assert set(board.feeds) == {cast.campaign.pk}
    await settled(lambda: not board.sockets)
    await board.poll(beat=False)
    assert not board.feeds


@pytest.mark.parametrize("trouble", [OperationalError, ZeroDivisionError])
async def test_the_poller_survives_what_goes_wrong(cast, board, monkeypatch, trouble):
    """The database is away, or our code fails: the next poll tries again."""
    polls = []
    plain = live.ConnectionManager.poll

    async def poll(self, *, beat):
        polls.append(beat)
        if len(polls) == 1:
            raise trouble
        await plain(self, beat=beat)

    monkeypatch.setattr(live.ConnectionManager, "poll", poll)
    monkeypatch.setattr(live, "POLL_EVERY", 0.01)
    second = live.ConnectionManager()
    await settled(lambda: len(polls) >= live.POLLS_A_BEAT)
    second.close()
    assert polls[: live.POLLS_A_BEAT] == [False] * (live.POLLS_A_BEAT - 1) + [True]


async def test_who_holds_a_seat_keeps_it(cast, board):
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        held = [(one.viewer, one.credential) for one in board.sockets]
        assert await act(connections.lost_viewers)(held) == {}
        assert await act(connections.lost_viewers)([(viewer, "another session") for viewer, _ in held]) == {0: GONE}
        assert dict(link.events).keys() == {TABLE}


async def test_another_password_or_another_role_asks_for_the_page_anew(cast, board):
    async with socket(cast.campaign.slug, await browser(cast.player)):
        held = [(one.viewer, one.credential) for one in board.sockets]
        cast.player.user.set_password("quite another one")
        await act(cast.player.user.save)()
        assert await act(connections.lost_viewers)(held) == {0: RESEATED}


async def test_a_feed_that_is_just_being_opened_is_not_given_up_by_a_poll(cast, board, monkeypatch):
    """Otherwise its socket would follow a feed that nobody reads for, and its page would stop without a word."""
    looked = live.behind

    async def polled_meanwhile(feeds):
        board._drop_unused_feeds()
        return await looked(feeds)

    monkeypatch.setattr(live, "behind", polled_meanwhile)
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        await heard_out(board, cast.player)
        assert [one.feed for one in board.sockets] == [*board.feeds.values()]
        await say(cast.gm, "Can you hear me?")
        assert "Can you hear me?" in (await link.event())["html"]
