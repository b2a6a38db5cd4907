"""The one connection over which a process notifies the others: whatever becomes of it, nobody who writes notices."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import psycopg
import pytest
import pytest_asyncio

from campaigns.live import notifications
from campaigns.live import notifications as notifiers
from campaigns.live.notifications import Notifier
from tests.campaigns.live.backends import NOTIFYING, come_to, cut_the_one, on_backends
from tests.campaigns.live.clients import settled
from tests.campaigns.live.test_listener import Ear, listening

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.asyncio,
    pytest.mark.only_on("postgresql"),
]


@pytest_asyncio.fixture
async def ear():
    async with listening() as ear:
        yield ear


@pytest_asyncio.fixture
async def notifier():
    # This process may have a notifier of its own from an earlier test, whose thread may stay idle for long.
    while await on_backends("pid", NOTIFYING):
        await asyncio.to_thread(notifications.close)
    notifier = Notifier()
    yield notifier
    await asyncio.to_thread(notifier.close)


async def test_what_comes_together_is_told_together_and_nothing_is_left_out(notifier, ear: Ear):
    told = [uuid4() for _ in range(300)]
    for campaign_id in told:
        notifier.tell(campaign_id)
    await settled(lambda: set(told) <= set(ear.heard))


async def test_several_notifications_of_one_campaign_become_one(notifier, ear: Ear):
    campaign_id, last = uuid4(), uuid4()
    with notifier._changed:
        # While this holds the lock nothing is sent, as while the server has not answered.
        for _ in range(5):
            notifier.tell(campaign_id)
        notifier.tell(last)
    await settled(lambda: {campaign_id, last} <= set(ear.heard))
    assert ear.heard.count(campaign_id) == 1


async def test_after_its_connection_was_cut_it_opens_another(notifier, ear: Ear):
    first, later = uuid4(), uuid4()
    notifier.tell(first)
    await settled(lambda: first in ear.heard)
    await cut_the_one(NOTIFYING)
    # A message by the dead connection is lost, but polling finds its event.
    notifier.tell(uuid4())
    await settled(lambda: notifier._thread is None)
    notifier.tell(later)
    await settled(lambda: later in ear.heard)


async def test_it_can_be_closed_and_used_again(notifier, ear: Ear):
    first, later = uuid4(), uuid4()
    notifier.tell(first)
    await asyncio.to_thread(notifier.close)
    await settled(lambda: first in ear.heard)
    await come_to(0, NOTIFYING)
    notifier.tell(later)
    await settled(lambda: later in ear.heard)


async def test_it_gives_its_connection_up_when_there_is_nothing_to_tell(notifier, ear: Ear, monkeypatch):
    monkeypatch.setattr(notifiers, "IDLE", 0.01)
    campaign_id = uuid4()
    notifier.tell(campaign_id)
    await settled(lambda: campaign_id in ear.heard)
    await settled(lambda: notifier._thread is None)


async def test_a_database_that_is_away_costs_the_notification_and_nothing_else(notifier, ear: Ear, monkeypatch, caplog):
    def away(**where):
        raise psycopg.OperationalError("nobody answers")

    with monkeypatch.context() as patch:
        patch.setattr(psycopg, "connect", away)
        notifier.tell(uuid4())
        await settled(lambda: notifier._thread is None)
    assert "Notifications were lost (OperationalError)" in caplog.text
    later = uuid4()
    notifier.tell(later)
    await settled(lambda: later in ear.heard)
