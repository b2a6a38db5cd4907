"""An archived campaign is read and not written, until it is reopened."""

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Blocked
from campaigns.services import campaigns as services
from campaigns.services.play import narrate
from tests.doors import post
from tests.news import news

FORM = {"name": "Harrow", "pitch": "Who lit it?", "systems": ["storyteller"]}


def test_an_archived_campaign_is_read_and_not_written_until_it_is_reopened(cast):
    assert post(cast.gm.client, "campaign_archive", "ashes").status_code == 302
    assert [event.kind for event in news()] == ["campaigns.campaign_archived"]
    assert cast.player.client.get(reverse("members", args=["ashes"])).status_code == 200
    for operation in (
        lambda: narrate(cast.gm.member, "It burns.", key=uuid4()),
        lambda: services.edit_campaign(cast.gm.member, name="Cinders", pitch="", systems=[], expected="", key=uuid4()),
        lambda: services.start_watching(cast.gm.member, key=uuid4()),
    ):
        with pytest.raises(Blocked, match="Ashes is archived and read-only"):
            operation()
    assert len(news()) == 1
    assert post(cast.gm.client, "campaign_reopen", "ashes").status_code == 302
    narrate(cast.gm.member, "It burns.", key=uuid4())
    assert [event.kind for event in news()][1:] == ["campaigns.campaign_reopened", "campaigns.said"]


@pytest.mark.parametrize("who", ["gm", "player", "spectator"])
def test_every_page_says_that_a_campaign_is_archived_and_the_table_offers_nothing_to_do(cast, who):
    table = reverse("table", args=["ashes"])
    client = getattr(cast, who).client
    assert "This campaign is archived" not in client.get(table).content.decode()
    services.archive_campaign(cast.gm.member, key=uuid4())
    assert "This campaign is archived" in client.get(reverse("log", args=["ashes"])).content.decode()
    html = client.get(table).content.decode()
    for offer in ('id="composer"', "Start session", "Request a roll", "New NPC", "New clock"):
        assert offer not in html


def test_the_settings_of_an_archived_campaign_offer_to_reopen_it_and_no_more(cast):
    services.archive_campaign(cast.gm.member, key=uuid4())
    page = cast.gm.client.get(reverse("campaign_settings", args=["ashes"])).content.decode()
    assert "Reopen campaign" in page
    assert 'name="pitch"' not in page
    assert post(cast.gm.client, "campaign_settings", "ashes", **FORM).status_code == 409


def test_reopening_what_is_open_is_refused(cast):
    with pytest.raises(Blocked, match="isn’t archived"):
        services.reopen_campaign(cast.gm.member, key=uuid4())
