"""Whoever loses the right to follow a table gets nothing that is told after that, before any poll."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.db import OperationalError
from django.test import Client
from django.urls import reverse

from campaigns.live import connections
from campaigns.live.socket_writer import GONE, RESEATED
from campaigns.models import Campaign
from campaigns.models.members import TABLE
from campaigns.services.campaigns import show_as_sample, start_watching, stop_watching
from people.admin import switch_off
from tests.campaigns.live.clients import act, say, settled
from tests.campaigns.live.sockets import browser, socket
from tests.campaigns.live.test_socket import make_secrets
from tests.doors import watch, watcher

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def ended(cast, link, gm) -> int:
    """Return the code that a socket is closed with, after checking that it got nothing that the GM said later."""
    await say(cast.gm, "canary-afterwards")
    while "canary-afterwards" not in (await gm.event())["html"]:
        pass
    code = await link.end()
    assert "canary" not in str(link.frames)
    return code


@act
def new_password(person):
    person.user.set_password("another-long-password")
    person.user.save()


async def test_who_signs_out_hears_nothing_that_is_said_afterwards(cast, board):
    client, slug = await browser(cast.player), cast.campaign.slug
    async with socket(slug, client) as link, socket(slug, await browser(cast.gm)) as gm:
        await act(client.logout)()
        assert await ended(cast, link, gm) == GONE


async def test_who_signs_out_is_cut_though_nobody_says_anything(cast, board):
    client = await browser(cast.player)
    async with socket(cast.campaign.slug, client) as link:
        await act(client.logout)()
        assert await link.end() == GONE


@act
def end_all_but(client):
    client.get(reverse("usersessions_list"))
    client.post(reverse("usersessions_list"))


async def test_a_session_that_is_ended_from_another_hears_nothing_that_is_said_afterwards(cast, board):
    lost, slug = await browser(cast.player), cast.campaign.slug
    # Each lists itself as it looks at the list.
    await act(lost.get)(reverse("usersessions_list"))
    home = Client()
    await act(home.force_login)(cast.player.user)
    async with (
        socket(slug, lost) as link,
        socket(slug, home) as stays,
        socket(slug, await browser(cast.gm)) as gm,
    ):
        await end_all_but(home)
        assert await ended(cast, link, gm) == GONE
        assert "canary-afterwards" in (await stays.event())["html"]


@pytest.mark.parametrize(
    ("change", "how"),
    [
        pytest.param(lambda player: act(switch_off)(player.user), GONE, id="who is switched off"),
        pytest.param(new_password, RESEATED, id="whose password was changed elsewhere"),
    ],
)
async def test_who_may_not_come_in_any_more_hears_nothing_that_is_said_afterwards(cast, board, change, how):
    slug = cast.campaign.slug
    async with socket(slug, await browser(cast.player)) as link, socket(slug, await browser(cast.gm)) as gm:
        await change(cast.player)
        assert await ended(cast, link, gm) == how


@pytest.mark.parametrize("change", [stop_watching, start_watching])
async def test_who_came_by_a_link_that_is_no_more_hears_nothing_afterwards(cast, board, change):
    slug, link_client = cast.campaign.slug, await act(watcher)(cast)
    stays = await browser(cast.gm), await browser(cast.spectator)
    async with socket(slug, link_client) as link, socket(slug, stays[0]) as gm, socket(slug, stays[1]) as spectator:
        await act(change)(cast.gm.member, key=uuid4())
        assert await ended(cast, link, gm) == GONE
        while "canary-afterwards" not in (await spectator.event())["html"]:
            pass


async def test_strangers_hear_nothing_once_a_table_is_no_sample_any_more(cast, board):
    await act(show_as_sample)(cast.campaign)
    slug = cast.campaign.slug
    async with socket(slug, Client()) as link, socket(slug, await browser(cast.gm)) as gm:
        known = link.events
        await act(show_as_sample)(None)
        assert await ended(cast, link, gm) == GONE
        assert link.events == known


async def test_a_session_that_followed_a_link_ends_with_it(cast, board):
    """This also holds for somebody with an account who is no member here."""
    slug, client = cast.campaign.slug, await act(watcher)(cast)
    await act(client.force_login)(cast.outsider.user)
    async with socket(slug, client) as link, socket(slug, await browser(cast.gm)) as gm:
        await act(client.logout)()
        assert await ended(cast, link, gm) == GONE


async def test_a_door_that_is_shut_while_somebody_comes_in_is_shut_for_them(cast, board, monkeypatch):
    """Their access was looked up before; that of the connected ones was looked up again before they arrived."""
    slug, link_client = cast.campaign.slug, await act(watcher)(cast)
    find, asked = connections.find_viewers, []

    def late(wanted):
        found = find(wanted)
        asked.append(wanted)
        if len(asked) == 1:
            stop_watching(cast.gm.member, key=uuid4())
        return found

    async with socket(slug, await browser(cast.gm)):
        monkeypatch.setattr(connections, "find_viewers", late)
        async with socket(slug, link_client) as link:
            if link.closed is None:
                await link.end()
            assert link.closed == GONE


async def test_a_door_that_could_not_be_shut_is_shut_by_the_next_pull(cast, board, monkeypatch):
    """If the database did not answer, it told no news either."""
    slug, link_client = cast.campaign.slug, await act(watcher)(cast)
    async with socket(slug, link_client) as link, socket(slug, await browser(cast.gm)) as gm:
        tried = []

        def no_answer(held):
            tried.append(held)
            raise OperationalError

        with monkeypatch.context() as patch:
            patch.setattr(connections, "lost_viewers", no_answer)
            await act(stop_watching)(cast.gm.member, key=uuid4())
            await settled(lambda: tried)
        assert await ended(cast, link, gm) == GONE


async def test_nobody_who_stays_is_looked_up_for_what_is_told(cast, board, monkeypatch):
    looked = []
    slug = cast.campaign.slug
    async with socket(slug, await browser(cast.player)) as link:
        monkeypatch.setattr(connections, "lost_viewers", lambda held: looked.append(held) or {})
        await say(cast.gm, "hello")
        assert await link.event()
        assert looked == []


@pytest.mark.parametrize("fields", [None, ["last_login"], ["display_name"]])
async def test_an_account_that_is_only_used_shuts_no_door(cast, fields):
    def doors():
        return Campaign.objects.get(pk=cast.campaign.pk).doors

    before = await act(doors)()
    user = await act(get_user_model().objects.get)(pk=cast.player.user.pk)
    await act(user.save)(update_fields=fields)
    assert await act(doors)() - before == (1 if fields is None else 0)


# A page opened by the spectator link only, in a browser in which the GM is signed in


@act
def link_of(cast) -> str:
    return watch(cast)


async def test_by_the_link_alone_a_gm_too_is_sent_what_a_spectator_is(cast, board):
    token, slug = await link_of(cast), cast.campaign.slug
    await make_secrets(cast)
    async with socket(slug, await browser(cast.gm), token=token) as overlay, socket(slug, await browser(cast.gm)) as gm:
        await make_secrets(cast)
        await say(cast.gm, "Hello, all")
        for link in (overlay, gm):
            while "Hello, all" not in (await link.event())["html"]:
                pass
        assert {stream for stream, _ in overlay.events} == {TABLE}
        assert "canary" not in str(overlay.frames) and "canary" in str(gm.frames)


@pytest.mark.parametrize("renewed", [True, False])
async def test_by_the_link_alone_nothing_is_heard_once_it_is_renewed_or_off(cast, board, renewed):
    token, slug = await link_of(cast), cast.campaign.slug
    async with socket(slug, await browser(cast.gm), token=token) as link, socket(slug, await browser(cast.gm)) as gm:
        await act(start_watching if renewed else stop_watching)(cast.gm.member, key=uuid4())
        assert await ended(cast, link, gm) == GONE
    async with socket(slug, await browser(cast.gm), token=token) as link:
        assert link.closed == GONE and not link.frames


async def test_the_link_of_one_campaign_opens_no_other_and_a_made_up_one_opens_none(cast, board):
    token = await link_of(cast)
    for slug, said in (("no-such-table", token), (cast.campaign.slug, "x" * 43), (cast.campaign.slug, "watch")):
        async with socket(slug, await browser(cast.gm), token=said) as link:
            assert link.closed == GONE and not link.frames
