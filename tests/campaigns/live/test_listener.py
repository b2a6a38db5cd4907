"""Notifications between processes: LISTEN hears every NOTIFY that commits, and comes back after it was cut."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from uuid import uuid4

import pytest
import pytest_asyncio
from django.db import connection, transaction

from campaigns.live.connections import listen_for_ever
from campaigns.live.notifications import CHANNEL
from campaigns.services import play
from tests.campaigns.live.backends import LISTENING, cut_the_one
from tests.campaigns.live.clients import act, settled
from tests.campaigns.live.sockets import browser, socket

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.asyncio,
    pytest.mark.only_on("postgresql"),
]


class Ear:
    """Another process, as far as notifications go."""

    def __init__(self):
        self.heard = []
        self.connections = 0

    def reconnected(self):
        self.connections += 1


@asynccontextmanager
async def listening():
    ear = Ear()
    task = asyncio.create_task(listen_for_ever(ear.heard.append, ear.reconnected))
    await settled(lambda: ear.connections)
    yield ear
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


@pytest_asyncio.fixture
async def ear():
    async with listening() as ear:
        yield ear


@act
def notify(*payloads):
    with transaction.atomic(), connection.cursor() as cursor:
        for payload in payloads:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, payload])


async def test_an_operation_is_heard_from_another_connection(cast, ear):
    await act(play.say)(cast.player.member, "Hi", key=uuid4())
    await settled(lambda: cast.campaign.pk in ear.heard)


async def test_an_operation_that_does_not_commit_is_not_heard(cast, ear):
    @act
    def half():
        with transaction.atomic():
            play.say(cast.player.member, "Hi", key=uuid4())
            transaction.set_rollback(True)

    await half()
    last = uuid4()
    await notify(str(last))
    await settled(lambda: last in ear.heard)
    assert cast.campaign.pk not in ear.heard


async def test_it_reconnects_after_its_connection_was_cut_and_says_so(cast, ear):
    await cut_the_one(LISTENING)
    await settled(lambda: ear.connections == 2)
    await act(play.say)(cast.player.member, "Hi", key=uuid4())
    await settled(lambda: cast.campaign.pk in ear.heard)


async def test_what_is_no_notification_is_ignored(cast, ear):
    good = uuid4()
    await notify("nonsense", "", str(good))
    await settled(lambda: good in ear.heard)
    assert ear.heard == [good] and ear.connections == 1


async def test_what_was_missed_while_it_was_cut_comes_with_the_reconnection(cast, board):
    async with socket(cast.campaign.slug, await browser(cast.player)) as link:
        await act(play.say)(cast.gm.member, "First", key=uuid4())
        assert "First" in (await link.event())["html"]
        await cut_the_one(LISTENING)
        await act(play.say)(cast.gm.member, "Unheard", key=uuid4())
        assert "Unheard" in (await link.event())["html"]  # and no poll has run
