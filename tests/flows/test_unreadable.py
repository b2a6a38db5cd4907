"""An entry that nobody can read says so in its place, and takes down no page, feed or check with it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.live.campaign_feed import frames_of
from campaigns.live.render import UNDRAWN, render_line
from campaigns.models import Event, EventPayload, Role
from campaigns.services import play
from campaigns.views.log import FORMS
from rolls.queries.checking import faults
from tests.flows.matrix import ALL
from tests.news import PAGES
from tests.stored import store

pytestmark = pytest.mark.undrawn


@pytest.fixture
def damaged(played, cast):
    """Replace every payload of the played campaign by nonsense, except the names of who acted."""
    for stored in EventPayload.objects.filter(event__campaign=cast.campaign):
        store(stored, payload={"by": stored.payload["by"], "of": 7})
    return cast.campaign


def test_every_page_stands_though_no_entry_can_be_read(addresses, damaged, cast):
    for person, role in ((cast.gm, Role.GM), (cast.player, Role.PLAYER), (cast.spectator, ALL)):
        for name, (how, least, url) in addresses.items():
            if "GET" in how and role.at_least(least):
                answer = person.client.get(url)
                assert answer.status_code < 500, (name, role)
    assert str(UNDRAWN) in cast.player.client.get(reverse("log", args=[damaged.slug])).content.decode()
    assert str(UNDRAWN) in cast.player.client.get(reverse("table", args=[damaged.slug])).content.decode()


def test_the_replay_and_every_export_stand_too(damaged, cast):
    further = reverse("replay_events", args=[damaged.slug, 1])
    while further:
        answer = cast.gm.client.get(further)
        assert answer.status_code == 200
        further = answer.json()["further"]
    for form in FORMS:
        answer = cast.gm.client.get(reverse("log_export", args=[damaged.slug]), {"as": form})
        assert b"".join(answer.streaming_content), form


def test_a_feed_brings_the_place_of_what_it_cannot_draw(damaged):
    for event in Event.objects.filter(campaign=damaged).with_related().linked().select_related("campaign"):
        frame = frames_of([event], PAGES)[0]
        assert all(text for text in frame.texts.values())


def test_what_comes_after_it_is_told_as_ever(damaged, cast):
    play.say(cast.player.member, "Still here", key=uuid4())
    page = cast.gm.client.get(reverse("table", args=[damaged.slug])).content.decode()
    assert "Still here" in page and str(UNDRAWN) in page


def test_one_that_amends_what_can_be_drawn_leaves_its_line_in_its_place(played, cast):
    voided = Event.objects.filter(campaign=cast.campaign, kind="rolls.roll_voided").select_related("parent").first()
    EventPayload.objects.filter(event=voided).update(payload={"by": {"member": 1, "name": "Gm"}})
    event = Event.objects.with_related().select_related("campaign").get(pk=voided.parent_id)
    assert str(event.uid) in render_line(event, Role.GM)


def test_the_check_of_the_log_names_it(damaged):
    told = list(faults(damaged))
    assert any("this version cannot read what it says" in fault for fault in told)
