"""Where somebody is writing right now: told to those who may see that place, and to nobody else."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.live import presence
from campaigns.live import presence as places
from campaigns.models.members import GM, TABLE
from tests.campaigns.live.sockets import Socket, browser, socket
from tests.cast import Cast, viewer
from tests.presence import arrive


def at(cast: Cast, field: str = "willpower", streams: tuple[str, ...] = (TABLE,)) -> dict:
    return {"token": places.token(cast.campaign.pk, "character:1", streams), "field": field}


@pytest.mark.parametrize("field", ["willpower", "descriptors/3f2/dice"])
def test_a_place_is_read_from_what_its_page_was_given(cast, field):
    place = places.read(cast.campaign.pk, at(cast, field))
    assert place == {"subject": "character:1", "field": field, "streams": [TABLE]}


@pytest.mark.parametrize(
    "said",
    [None, 7, {}, {"token": "made:up", "field": "x"}, {"token": "x" * 3000, "field": "x"}, {"token": 1, "field": "x"}],
)
def test_what_no_page_was_given_is_nowhere(cast, said):
    assert places.read(cast.campaign.pk, said) is None


def test_a_field_is_a_name_and_nothing_else(cast):
    for field in ("", "<b>", "x" * 121, 7, None):
        assert places.read(cast.campaign.pk, at(cast) | {"field": field}) is None


def test_another_campaigns_place_is_nowhere_here(cast):
    assert places.read(uuid4(), at(cast)) is None


def test_those_who_do_not_see_the_stream_are_not_told(cast):
    row = arrive(cast.campaign.pk, cast.gm.member.pk)
    places.stand(row, places.read(cast.campaign.pk, at(cast, "us_build", (GM,))))
    everywhere = places.places(cast.campaign.pk)[cast.campaign.pk]
    assert [place["name"] for place in everywhere] == ["Gm"]
    assert places.seen_by(viewer(cast.gm), everywhere)
    for person in (cast.player, cast.other_player, cast.spectator):
        assert places.seen_by(viewer(person), everywhere) == []


def test_who_has_left_is_nowhere(cast):
    row = arrive(cast.campaign.pk, cast.player.member.pk)
    places.stand(row, places.read(cast.campaign.pk, at(cast)))
    presence.leave(row)
    assert places.places(cast.campaign.pk) == {cast.campaign.pk: []}


async def told(link: Socket) -> list[dict]:
    while (frame := await link.read())["t"] != "places":
        pass
    return frame["places"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.asyncio
async def test_the_gm_hears_at_once_where_a_player_writes_and_when_they_stop(cast, board):
    slug = cast.campaign.slug
    async with socket(slug, await browser(cast.gm)) as gm, socket(slug, await browser(cast.player)) as mo:
        await mo.send_json_to({"at": at(cast, streams=(cast.player.member.stream,))})
        assert await told(gm) == [
            {"member": cast.player.member.pk, "name": "Mo", "subject": "character:1", "field": "willpower"}
        ]
    # With the socket goes the place.
    async with socket(slug, await browser(cast.gm)) as again:
        assert [frame for frame in again.frames if frame["t"] == "places"] == []
