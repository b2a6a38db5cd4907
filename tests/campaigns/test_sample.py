"""The sample table, which the host of a site chooses: everybody may look on there, and nowhere else."""

from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from campaigns.access import viewer_of
from campaigns.live.connections import find_viewers, lost_viewers
from campaigns.live.socket_writer import GONE
from campaigns.models import Campaign, Role, Viewer
from campaigns.services import campaigns
from campaigns.services.campaigns import sample, show_as_sample
from tests.doors import page, watch
from tests.news import news


@pytest.fixture
def other(cast):
    return campaigns.create_campaign(cast.gm.user, name="Embers", systems=["arc"], key=uuid4())


def test_there_is_one_at_most_and_its_people_read_in_the_log_that_it_is(cast, other):
    show_as_sample(cast.campaign)
    show_as_sample(cast.campaign)
    assert sample() == cast.campaign
    show_as_sample(other)
    assert [one.slug for one in Campaign.objects.filter(is_sample=True)] == ["embers"]
    told = [event for event in news() if event.kind == "campaigns.sample_changed"]
    assert [(event.campaign_id, event.payload["on"]) for event in told] == [
        (cast.campaign.pk, True),
        (cast.campaign.pk, False),
        (other.pk, True),
    ]
    assert {event.stream.name for event in told} == {"table"}
    assert "stopped being the sample" in page(cast.player.client, "table", "ashes").content.decode()
    show_as_sample(None)
    assert sample() is None


def test_a_visitor_has_no_seat_and_no_stream_of_their_own(cast, client):
    show_as_sample(cast.campaign)
    viewer = viewer_of(client.get("/").wsgi_request.user, {}, "ashes")
    assert (viewer.membership, viewer.role, viewer.streams) == (None, Role.SPECTATOR, ["table"])
    assert page(client, "table", "embers").status_code == 404


def test_members_sit_there_as_they_did(cast):
    show_as_sample(cast.campaign)
    for person in (cast.gm, cast.player, cast.spectator):
        assert viewer_of(person.user, {}, "ashes").membership == person.member
        assert "This is the sample table" not in page(person.client, "table", "ashes").content.decode()


def test_sockets_find_the_viewer_that_pages_find_and_are_cut_when_it_ends(cast, other):
    show_as_sample(cast.campaign)
    cast.campaign.refresh_from_db()
    visitor = Viewer(cast.campaign, None, Role.SPECTATOR)
    outsider = cast.outsider.client.cookies["sessionid"].value
    assert find_viewers([("ashes", None), ("embers", None), ("ashes", "made-up"), ("ashes", outsider)]) == [
        visitor,
        None,
        visitor,
        visitor,
    ]
    assert lost_viewers([(visitor, None)]) == {}
    # Switching the link on or off in between does not concern them.
    watch(cast)
    assert lost_viewers([(visitor, None)]) == {}
    show_as_sample(None)
    assert lost_viewers([(visitor, None)]) == {0: GONE}
    assert find_viewers([("ashes", None)]) == [None]


@pytest.mark.parametrize("sockets", [1, 50])
def test_visitors_cost_two_queries_however_many_come(cast, sockets, django_assert_num_queries):
    show_as_sample(cast.campaign)
    with django_assert_num_queries(2):
        assert all(find_viewers([("ashes", "made-up")] * sockets))


def test_the_first_page_leads_there_as_long_as_there_is_one(cast):
    assert "sample table" not in Client().get("/").content.decode()
    show_as_sample(cast.campaign)
    assert 'href="/c/ashes/"' in Client().get("/").content.decode()
    campaigns.archive_campaign(cast.gm.member, key=uuid4())
    shown = Client().get("/c/ashes/")
    assert shown.status_code == 200 and '<meta name="robots" content="noindex">' in shown.content.decode()


def test_the_host_chooses_it_by_a_command(cast, capsys):
    call_command("sample", "ashes")
    assert "Ashes, /c/ashes/" in capsys.readouterr().out and sample() == cast.campaign
    with pytest.raises(CommandError, match="No such campaign"):
        call_command("sample", "nowhere")
    call_command("sample")
    assert sample() == cast.campaign
    call_command("sample", "--none")
    assert "no sample" in capsys.readouterr().out and sample() is None
