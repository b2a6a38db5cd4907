"""What one socket is sent: in order, once, only so far ahead, and nothing after the row that ends its viewer."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.live import socket_writer as live
from campaigns.live.socket_writer import GONE, RESEATED, SILENT_AFTER, UNACKNOWLEDGED
from campaigns.models import Membership, Role
from campaigns.models.members import TABLE
from campaigns.services import members, play
from tests.campaigns.archives import bring, written
from tests.campaigns.live.clients import Client, act, heads, opened, settled
from tests.cast import seat_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


@act
def say(person, count=1):
    for number in range(count):
        play.say(person.member, str(number), key=uuid4())


@act
def remove(cast, person):
    members.remove_member(cast.gm.member, person.member, key=uuid4())


@act
def reseat(cast, person, role):
    members.change_role(cast.gm.member, person.member, role, expected=Role(person.member.role), key=uuid4())


async def test_who_is_too_far_behind_loads_the_page_anew(cast, sit, monkeypatch):
    monkeypatch.setattr(live, "CATCH_UP", 3)
    stood = await heads(seat_at(cast.player.member))
    await say(cast.other_player, 3)
    feed = await opened(cast.campaign.slug)
    assert len((await sit(feed, seat_at(cast.player.member), stood)).events) == 3
    await say(cast.other_player)
    behind = await sit(await opened(cast.campaign.slug), seat_at(cast.player.member), stood)
    assert behind.closed == RESEATED and behind.frames == []


@act
def let_somebody_read(cast, lines):
    """Return (the GM of an imported archive, a person who reads it there)."""
    campaign = bring(cast.outsider.user, written(lines))
    gm = Membership.objects.select_related("campaign").get(campaign=campaign, user=cast.outsider.user)
    return gm, cast.removed.join(gm, Role.SPECTATOR)


async def test_whom_an_archive_from_elsewhere_calls_by_another_number_is_removed_like_anybody(cast, lines, sit):
    gm, reader = await let_somebody_read(cast, lines)
    feed = await opened(gm.campaign.slug)
    client = await sit(feed, seat_at(reader), dict(feed.heads))
    await act(members.remove_member)(gm, reader, key=uuid4())
    await feed.pull()
    await settled(lambda: client.closed)
    assert reader.number != reader.pk and client.closed == GONE


async def test_a_removal_between_the_look_at_the_seat_and_the_first_word_counts(cast):
    feed = await opened(cast.campaign.slug)
    seated, stood = Client(feed, seat_at(cast.player.member)), dict(feed.heads)
    await remove(cast, cast.player)
    await say(cast.other_player)
    await feed.pull()
    await seated.run(stood)
    assert seated.closed == GONE and seated.events == []


@pytest.mark.parametrize("shown_as", [None, "other_player"])
async def test_a_gm_who_sees_the_table_as_others_do_is_removed_like_anybody(cast, sit, shown_as):
    feed = await opened(cast.campaign.slug)
    await reseat(cast, cast.player, Role.GM)
    cast.player.member.role = Role.GM
    await feed.pull()
    other = getattr(cast, shown_as).member if shown_as else None
    viewer = seat_at(cast.player.member, membership=other, role=Role.PLAYER, real=cast.player.member)
    client = await sit(feed, viewer, dict(feed.heads))
    await remove(cast, cast.player)
    await say(cast.gm)
    await feed.pull()
    await settled(lambda: client.closed)
    assert client.closed == GONE and client.events == []


async def test_a_gm_who_sees_as_somebody_who_is_removed_stays_and_loads_anew(cast, sit):
    feed = await opened(cast.campaign.slug)
    viewer = seat_at(cast.gm.member, membership=cast.player.member, role=Role.PLAYER, real=cast.gm.member)
    client = await sit(feed, viewer, dict(feed.heads))
    await remove(cast, cast.player)
    await feed.pull()
    await settled(lambda: client.closed)
    assert client.closed == RESEATED and client.events == []


async def test_unacknowledged_frames_stop_at_the_limit_and_go_on_with_a_word(cast, sit, patience):
    feed = await opened(cast.campaign.slug)
    mute = await sit(feed, seat_at(cast.player.member), dict(feed.heads), acknowledges=False)
    brisk = await sit(feed, seat_at(cast.spectator.member), dict(feed.heads))
    await say(cast.other_player, UNACKNOWLEDGED + 10)
    await feed.pull()
    await settled(lambda: len(brisk.events) == UNACKNOWLEDGED + 10)  # no other socket waits
    assert len(mute.frames) == UNACKNOWLEDGED
    mute.writer.heard(5)
    await settled(lambda: len(mute.frames) == UNACKNOWLEDGED + 5)
    mute.writer.heard(10**9)  # no more than was sent
    await settled(lambda: len(mute.events) == UNACKNOWLEDGED + 10)
    numbers = [seq for _, seq in mute.events]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


async def test_a_beat_never_overtakes_the_events_it_speaks_of(cast, sit, patience):
    feed = await opened(cast.campaign.slug)
    client = await sit(feed, seat_at(cast.player.member), dict(feed.heads), acknowledges=False)
    await settled(lambda: len(client.frames) == 1)
    await say(cast.other_player, UNACKNOWLEDGED - 1)
    await feed.pull()
    await settled(lambda: len(client.frames) == UNACKNOWLEDGED)
    client.writer.beat()  # waits for room
    await settled(lambda: not client.writer._asides)
    await say(cast.other_player)
    await feed.pull()
    client.writer.beat()
    client.acknowledges = True
    client.writer.heard(len(client.frames))
    await settled(lambda: len(client.beats) == 3)
    stands = {}
    for frame in client.frames:
        if frame["t"] == "event":
            stands[frame["stream"]] = frame["seq"]
        elif stands:
            assert frame["heads"][TABLE] == stands[TABLE]


async def test_silence_is_counted_from_the_last_word(cast, sit, clock):
    client = await sit(await opened(cast.campaign.slug), seat_at(cast.player.member), acknowledges=False)
    await settled(lambda: client.beats)
    clock.now += SILENT_AFTER
    assert not client.writer.is_silent
    clock.now += 0.1
    assert client.writer.is_silent
    client.writer.heard(0)
    assert not client.writer.is_silent


async def test_what_a_client_waits_for_itself_is_no_silence_and_forgives_none(cast, sit, clock):
    client = await sit(await opened(cast.campaign.slug), seat_at(cast.player.member), acknowledges=False)
    await settled(lambda: client.beats)
    clock.now += SILENT_AFTER - 1
    with client.writer._waiting():
        clock.now += 10 * SILENT_AFTER
        assert not client.writer.is_silent
    clock.now += 1
    assert not client.writer.is_silent
    clock.now += 0.1
    assert client.writer.is_silent


async def test_a_pump_that_ended_is_woken_no_more(cast, sit):
    feed = await opened(cast.campaign.slug)
    await sit(feed, seat_at(cast.player.member), dict(feed.heads))
    assert len(feed.writers) == 1
    await remove(cast, cast.player)
    await feed.pull()
    await settled(lambda: not feed.writers)


async def test_who_comes_back_in_another_role_loads_the_page_of_that_role(cast, sit):
    """Their page is that of the earlier role; a GM's rows would be on a player's page."""
    stood = await heads(seat_at(cast.player.member))
    await reseat(cast, cast.player, Role.GM)
    cast.player.member.role = Role.GM
    feed = await opened(cast.campaign.slug)
    client = await sit(feed, seat_at(cast.player.member), stood)
    assert client.closed == RESEATED and client.frames == []
    again = await sit(feed, seat_at(cast.player.member), dict(feed.heads))
    assert again.closed is None
