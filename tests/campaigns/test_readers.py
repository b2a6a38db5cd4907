"""Whom the GM of an archive from elsewhere lets in: they read what the whole table was told, and change nothing."""

from __future__ import annotations

import json
from uuid import UUID, uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Blocked, Invalid
from campaigns.models import Boundaries, Campaign, Event, GameSession, Membership, Role
from campaigns.services import members
from campaigns.services.members import invitation_token, invite
from campaigns.views import log
from campaigns.views.log import FORMS
from tests.campaigns.archives import bring, forged, take, written
from tests.cast import person
from tests.flows.matrix import MATRIX, SAME


@pytest.fixture
def read(moved):
    """Return (an archive of the played campaign, its GM's browser, a person whom the GM admitted)."""
    saved, newcomer = moved
    campaign = bring(newcomer.user, saved)
    reader = person("reader", "Reader")
    reader.join(Membership.objects.get(campaign=campaign, user=newcomer.user), Role.SPECTATOR)
    return campaign, newcomer, reader


def _addresses(campaign, how):
    uid = Event.objects.filter(campaign=campaign, stream__name="table", kind="campaigns.said").first().uid
    mo = Membership.objects.get(campaign=campaign, called="Mo")
    values = {"uid": uid, "number": 2, "scene_number": 1, "member_id": mo.pk, "delivery_id": 1, "name": "grace"}
    values |= {"system": "storyteller", "picture": "0" * 64}
    for name, (ways, _, wanted) in MATRIX.items():
        if how in ways.split():
            words = (SAME.get(word, word) for word in wanted.split())
            yield (
                name,
                reverse(name, kwargs={"slug": campaign.slug} | {word: values.get(word, uuid4()) for word in words}),
            )


def test_a_reader_sees_the_pages_and_no_word_that_was_not_for_the_whole_table(read, monkeypatch):
    """The suite checks each of these answers for secrets (tests/conftest.py): to a reader every canary belongs to others."""
    monkeypatch.setattr(log, "PAGE", 10_000)
    campaign, gm, reader = read
    for name, address in _addresses(campaign, "GET"):
        assert reader.client.get(address).status_code in (200, 302, 403, 404), name
    for form in FORMS:
        assert reader.client.get(reverse("log_export", args=[campaign.slug]), {"as": form}).getvalue()
    for number in GameSession.objects.filter(campaign=campaign).values_list("number", flat=True):
        further = reverse("replay_events", args=[campaign.slug, number])
        while further:
            further = reader.client.get(further).json()["further"]
    hidden = Event.objects.filter(campaign=campaign).exclude(stream__name="table")
    told = Event.objects.filter(stream__name="table").values("uid")
    for uid in hidden.exclude(uid__in=told).values_list("uid", flat=True):
        assert reader.client.get(reverse("log_event", args=[campaign.slug, uid])).status_code == 404
    told = [json.loads(line) for line in take(reader.client, campaign.slug).splitlines()]
    assert {line["stream"] for line in told} == {"table"}
    assert "canary-mo-whisper" in take(gm.client, campaign.slug)


def test_a_reader_changes_nothing(read):
    campaign, _, reader = read
    before = Event.objects.filter(campaign=campaign).count()
    for name, address in _addresses(campaign, "POST"):
        # Readers may set what is theirs alone: tokens that only read, how they are told of something, their calendar's address.
        if name not in ("leave", "see_as", "tokens", "campaign_notices", "calendar_link"):
            # Writes that spectators may make elsewhere are blocked here (409).
            assert reader.client.post(address, {"key": uuid4()}).status_code in (403, 404, 409), name
    assert Event.objects.filter(campaign=campaign).count() == before
    assert not Campaign.objects.get(pk=campaign.pk).is_paused and not Boundaries.objects.exists()


def test_a_readers_number_is_nobody_elses_in_the_log(lines, cast):
    """Otherwise they would read what only another person was told."""
    whispered = next(line for line in lines if line["stream"].startswith("member:"))
    last = person("last").join(cast.gm.member, Role.SPECTATOR).pk
    others = [whispered | {"stream": f"member:{last + more}", "seq": 1} for more in range(5, 30)]
    campaign = bring(cast.outsider.user, written(forged([*lines, *others])))
    gm = Membership.objects.get(campaign=campaign, user=cast.outsider.user)
    for name in ("ann", "ben"):
        reader = person(name)
        assert reader.join(gm, Role.SPECTATOR).pk in range(last + 5, last + 30)
        assert "psst" not in take(reader.client, campaign.slug)
    assert "psst" in take(cast.outsider.client, campaign.slug)


def test_of_an_archive_from_elsewhere_one_can_only_be_a_spectator_and_never_get_it(lines, cast):
    campaign = bring(cast.outsider.user, written(lines))
    gm = Membership.objects.get(campaign=campaign, user=cast.outsider.user)
    for role in (Role.PLAYER, Role.GM):
        with pytest.raises(Invalid, match="everyone is a spectator"):
            invite(gm, role, days=1, uses=1, key=uuid4())
    reader = cast.removed.join(gm, Role.SPECTATOR)
    for operation in (
        lambda: members.change_role(gm, reader, Role.GM, expected=Role.SPECTATOR, key=uuid4()),
        lambda: members.hand_over(gm, reader, key=uuid4()),
    ):
        with pytest.raises(Blocked, match="read-only"):
            operation()


def test_the_pages_of_its_gm_let_people_in_and_out(lines, cast):
    campaign = bring(cast.outsider.user, written(lines))
    gm, page = cast.outsider.client, reverse("invitations", args=[campaign.slug])
    assert page.encode() in gm.get(reverse("campaign_settings", args=[campaign.slug])).content
    assert b'value="player"' not in gm.get(page).content and b"Spectator link" not in gm.get(page).content
    key = uuid4()
    form = {"role": "spectator", "days": "7", "uses": "1", "key": key}
    assert gm.post(page, form | {"role": "player"}).status_code == 422
    link = reverse("join", args=[invitation_token(UUID(str(key)))])
    assert link.encode() in gm.post(page, form).content
    reader = cast.other_player.client
    assert b"Join as a spectator" in reader.get(link).content
    assert reader.post(link, {"key": uuid4()}).status_code == 302
    assert reader.get(reverse("log", args=[campaign.slug])).status_code == 200
    viewer = Membership.objects.get(campaign=campaign, user=cast.other_player.user)
    people = reverse("members", args=[campaign.slug])
    shown = gm.get(people).content
    assert reverse("member_remove", args=[campaign.slug, viewer.pk]).encode() in shown and b"Make GM" not in shown
    assert gm.post(reverse("member_remove", args=[campaign.slug, viewer.pk]), {"key": uuid4()}).status_code == 302
    assert reader.get(reverse("log", args=[campaign.slug])).status_code == 404
