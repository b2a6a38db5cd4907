"""Who is at the table now: people, not tabs."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.utils import timezone

from campaigns.live import presence
from campaigns.models import Presence
from campaigns.services import members
from tests.campaigns.live.clients import act, settled
from tests.campaigns.live.sockets import Socket, browser, socket
from tests.cast import Cast
from tests.presence import arrive


def here(cast: Cast) -> list[str]:
    return [one["name"] for one in presence.at_table_now(cast.campaign.pk)["people"]]


def test_several_tabs_of_one_person_count_once(cast):
    first, second = (arrive(cast.campaign.pk, cast.player.member.pk) for _ in range(2))
    assert here(cast) == ["Mo"]
    presence.leave(first)
    assert here(cast) == ["Mo"]
    presence.leave(second)
    assert here(cast) == []


def test_those_who_came_by_the_link_are_a_number(cast):
    arrive(cast.campaign.pk, None)
    arrive(cast.campaign.pk, None)
    arrive(cast.campaign.pk, cast.gm.member.pk)
    now = presence.at_table_now(cast.campaign.pk)
    assert (len(now["people"]), now["watching"]) == (1, 2)


def test_the_removed_are_not_here_whatever_their_tabs_say(cast):
    arrive(cast.campaign.pk, cast.player.member.pk)
    members.remove_member(cast.gm.member, cast.player.member, key=uuid4())
    assert here(cast) == []


def test_a_process_that_was_killed_leaves_nobody_sitting_for_long(cast):
    dead = arrive(cast.campaign.pk, cast.player.member.pk)
    alive = arrive(cast.campaign.pk, cast.gm.member.pk)
    late = timezone.now() - timedelta(seconds=presence.GONE_AFTER + 1)
    Presence.objects.update(seen_at=late)
    presence.renew([alive])
    assert here(cast) == ["Gm"]
    assert Presence.objects.filter(pk=dead).exists()
    Presence.objects.filter(pk=dead).update(seen_at=late - timedelta(seconds=20 * presence.GONE_AFTER))
    presence.renew([alive])
    assert not Presence.objects.filter(pk=dead).exists()


@pytest.mark.parametrize("hours", [-2, 2])
def test_servers_whose_clocks_differ_see_each_others_people(cast, hours):
    with time_machine.travel(timezone.now() + timedelta(hours=hours)):
        there = arrive(cast.campaign.pk, cast.player.member.pk)
        assert here(cast) == ["Mo"]
    arrive(cast.campaign.pk, cast.gm.member.pk)
    presence.renew([])
    assert here(cast) == ["Gm", "Mo"]
    with time_machine.travel(timezone.now() + timedelta(hours=hours)):
        presence.renew([there])
        assert here(cast) == ["Gm", "Mo"]


@pytest.mark.parametrize(("name", "letters"), [("Mo", "MO"), ("Iva van Dorn", "IV"), ("x", "X"), ("", "")])
def test_initials(name, letters):
    assert presence.initials(name) == letters


async def told(link: Socket) -> str:
    while (frame := await link.read())["t"] != "presence":
        pass
    return frame["html"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_everybody_sees_who_comes_and_goes(cast, board):
    slug = cast.campaign.slug
    async with socket(slug, await browser(cast.gm)) as gm:
        async with socket(slug, await browser(cast.player)):
            assert "Mo" in await told(gm)
            async with socket(slug, await browser(cast.player)):
                before = len(gm.frames)
                await board.poll(beat=True)
                await gm.beat()
                assert [frame["t"] for frame in gm.frames[before:]] == ["beat"]  # a second tab is nothing new
        assert "Mo" not in await told(gm)
    await settled(lambda: not board.sockets)
    assert not await act(Presence.objects.exists)()
