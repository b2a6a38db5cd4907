"""Who comes and goes is written and told together: the first at once, a crowd half a second later as one."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace

import pytest
import pytest_asyncio
from django.template.loader import render_to_string

from campaigns.live import presence as live
from campaigns.live import presence as places
from campaigns.live.presence import TOLD_EVERY, PresenceUpdates
from campaigns.models import Membership, Presence
from campaigns.models.members import TABLE
from tests.campaigns.live.clients import act, settled
from tests.campaigns.live.sockets import away

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


class Clock:
    """Pauses last until `pass_by` says that they are over; `asked` is how long they were to be."""

    def __init__(self) -> None:
        self.asked: list[float] = []
        self._over = asyncio.Event()

    async def sleep(self, seconds: float) -> None:
        self.asked.append(seconds)
        await self._over.wait()
        self._over.clear()

    def pass_by(self) -> None:
        self._over.set()


@pytest_asyncio.fixture
async def told(monkeypatch):
    """Yield `told`: `told.news` is what `told.updates` has told so far; `told.clock` lets the half second pass."""
    told = SimpleNamespace(news=[], clock=Clock())
    monkeypatch.setattr(live, "asyncio", SimpleNamespace(sleep=told.clock.sleep, Event=asyncio.Event))
    told.updates = PresenceUpdates(told.news.append)
    running = asyncio.create_task(told.updates.run())
    yield told
    running.cancel()


def words(news: dict, cast) -> str:
    (present, _) = news[cast.campaign.pk]
    return render_to_string("campaigns/_presence.html", present)


async def test_the_first_is_told_at_once_and_all_that_come_within_half_a_second_as_one(cast, told):
    told.updates.come(cast.campaign.pk, cast.gm.member.pk)
    await settled(lambda: told.clock.asked)
    assert len(told.news) == 1 and "1 at the table" in words(told.news[0], cast)
    for person in (cast.player, cast.other_player, cast.spectator):
        told.updates.come(cast.campaign.pk, person.member.pk)
    for _ in range(200):
        told.updates.come(cast.campaign.pk, None)
    await asyncio.sleep(0)
    assert len(told.news) == 1
    told.clock.pass_by()
    await settled(lambda: len(told.clock.asked) == 2)
    assert len(told.news) == 2 and "4 at the table, 200 watching" in words(told.news[1], cast)
    assert told.clock.asked == [TOLD_EVERY] * 2


async def test_a_crowd_of_faces_is_a_number(cast, told):
    @act
    def crowd() -> list[int]:
        from people.models import User

        users = User.objects.bulk_create(User(username=f"guest-{number:03}") for number in range(50))
        joined = cast.player.member.joined_at
        rows = [Membership(campaign=cast.campaign, user=user, role="player", joined_at=joined) for user in users]
        return [member.pk for member in Membership.objects.bulk_create(rows)]

    for member in await crowd():
        told.updates.come(cast.campaign.pk, member)
    await settled(lambda: told.news)
    assert "50 at the table" in words(told.news[0], cast) and "and 20 more" in words(told.news[0], cast)
    assert "guest-029" in words(told.news[0], cast) and "guest-030" not in words(told.news[0], cast)


async def test_who_goes_before_they_were_written_leaves_no_row(cast, told):
    await settled(lambda: True)
    row = told.updates.come(cast.campaign.pk, cast.player.member.pk)
    await told.updates.go(cast.campaign.pk, row)
    assert not await act(Presence.objects.exists)()
    assert (await act(Membership.objects.get)(pk=cast.player.member.pk)).here_at
    assert "0 at the table" in words(told.news[0], cast)


async def test_a_place_that_is_given_before_the_row_is_written_is_not_lost(cast, told):
    row = told.updates.come(cast.campaign.pk, cast.player.member.pk)
    said = {"token": places.token(cast.campaign.pk, "character:1", [TABLE]), "field": "willpower"}
    told.updates.stand(cast.campaign.pk, row, places.read(cast.campaign.pk, said))
    await settled(lambda: told.news)
    assert [place["field"] for place in told.news[0][cast.campaign.pk][1]] == ["willpower"]


async def test_what_could_not_be_written_is_written_with_what_comes_next(cast, told, monkeypatch):
    plain = live._write

    monkeypatch.setattr(live, "_write", away)
    told.updates.come(cast.campaign.pk, cast.player.member.pk)
    await settled(lambda: told.clock.asked)
    monkeypatch.setattr(live, "_write", plain)
    told.updates.come(cast.campaign.pk, cast.gm.member.pk)
    told.clock.pass_by()
    await settled(lambda: told.news)
    assert "2 at the table" in words(told.news[0], cast)
    assert await act(Presence.objects.count)() == 2


async def test_a_fault_of_ours_stops_nobody_from_being_told_later(cast, told, monkeypatch, caplog):
    plain = live._write

    async def broken(_):
        raise ZeroDivisionError

    monkeypatch.setattr(live, "_write", broken)
    row = told.updates.come(cast.campaign.pk, cast.player.member.pk)
    await told.updates.go(cast.campaign.pk, row)
    assert "could not be told" in caplog.text
    monkeypatch.setattr(live, "_write", plain)
    told.updates.come(cast.campaign.pk, cast.gm.member.pk)
    told.clock.pass_by()
    await settled(lambda: told.news)
    assert "1 at the table" in words(told.news[0], cast)
