"""Campaigns: founding, changing, archiving."""

from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Invalid, RateLimited
from campaigns.live.render import render_live
from campaigns.models import Campaign, Event, Membership, Role
from campaigns.models.members import TABLE
from campaigns.services import campaigns as services
from campaigns.services.play import start_session
from tests.campaigns.archives import bring, written
from tests.cast import person
from tests.doors import post
from tests.news import news
from tests.racing import at_once

FORM = {"name": "Harrow", "pitch": "Who lit it?", "systems": ["storyteller"]}


def create(user, name="Harrow", **how):
    return services.create_campaign(user, **{"name": name, "systems": ["storyteller"], "key": uuid4()} | how)


def edit(by, **how):
    written = by.campaign.payload() | {"expected": services.campaign_version(by.campaign), "key": uuid4()}
    return services.edit_campaign(by, **written | how)


# founding


def test_who_founds_a_campaign_is_its_gm_and_its_log_begins_with_that(db):
    ana = person("ana", "Ana").user
    campaign = create(ana, pitch="Who lit it?")
    member = Membership.objects.get(campaign=campaign)
    assert (member.user, member.role, member.left_at) == (ana, Role.GM, None)
    event = Event.objects.get(campaign=campaign)
    assert (event.kind, event.stream.name, event.seq) == ("campaigns.campaign_made", TABLE, 1)
    assert event.payload == {
        "name": "Harrow",
        "pitch": "Who lit it?",
        "systems": ["storyteller"],
        "by": {"member": member.pk, "name": "Ana"},
    }


def test_the_key_is_its_id_and_sent_twice_it_founds_one(db):
    ana, key = person("ana").user, uuid4()
    assert create(ana, key=key) == create(ana, key=key)
    assert Campaign.objects.get().pk == key
    assert Event.objects.count() == 1


def test_a_key_that_somebody_else_has_used_founds_nothing(db):
    ana, bo, key = person("ana").user, person("bo").user, uuid4()
    create(ana, key=key)
    with pytest.raises(Invalid):
        create(bo, key=key)
    with pytest.raises(Invalid):
        create(ana, key=key, name="Another")
    assert Membership.objects.get().user == ana


def test_the_id_of_a_campaign_that_was_brought_is_no_way_into_it(cast, lines):
    brought = bring(cast.outsider.user, written(lines))
    viewers = Membership.objects.filter(campaign=brought).count()
    with pytest.raises(Invalid):
        create(cast.player.user, key=brought.pk)
    assert Membership.objects.filter(campaign=brought).count() == viewers
    assert cast.player.client.get(reverse("log", args=[brought.slug])).status_code == 404


def test_a_key_that_was_used_at_a_table_founds_nothing(cast):
    key = uuid4()
    start_session(cast.gm.member, key=key)
    with pytest.raises(Invalid):
        create(cast.gm.user, key=key)
    assert Campaign.objects.count() == 1


@pytest.mark.parametrize(
    ("name", "slugs"),
    [
        ("Ashes over Harrow", ["ashes-over-harrow", "ashes-over-harrow-2", "ashes-over-harrow-3"]),
        ("New", ["new-2", "new-3", "new-4"]),
        ("灰", ["campaign", "campaign-2", "campaign-3"]),
    ],
)
def test_its_address_comes_from_its_name_and_is_its_own(db, name, slugs):
    ana = person("ana").user
    assert [create(ana, name).slug for _ in slugs] == slugs


def test_founding_one_after_the_other_is_held_back(db, settings):
    settings.RATE_LIMIT = 3
    ana = person("ana").user
    for _ in range(3):
        create(ana)
    with pytest.raises(RateLimited):
        create(ana)
    assert Campaign.objects.count() == 3


@pytest.mark.django_db(transaction=True)
def test_two_at_once_get_addresses_of_their_own():
    found = partial(create, person("ana").user)
    assert sorted(one.slug for one in at_once(*[found] * 4)) == ["harrow", "harrow-2", "harrow-3", "harrow-4"]


def test_the_form_founds_and_leads_to_the_table(cast):
    answer = post(cast.outsider.client, "campaign_new", **FORM)
    campaign = Campaign.objects.get(slug="harrow")
    assert (answer.status_code, answer.url) == (302, f"/c/{campaign.slug}/")
    assert campaign.payload() == {"name": "Harrow", "pitch": "Who lit it?", "systems": ["storyteller"]}


def test_who_is_not_signed_in_is_asked_to_sign_in(client, db):
    for name in ("campaign_new", "campaign_import"):
        assert client.get(reverse(name)).url == f"/accounts/login/?next={reverse(name)}"


# changing


def test_a_change_is_told_with_what_it_was_before(cast):
    before = cast.campaign.payload()
    edit(cast.gm.member, name="Cinders")
    event = news().get()
    assert (event.kind, event.stream.name) == ("campaigns.campaign_changed", TABLE)
    assert (event.payload["before"], event.payload["after"]) == (before, before | {"name": "Cinders"})
    assert Campaign.objects.get().slug == cast.campaign.slug


def test_a_new_name_stands_at_once_on_the_pages_that_are_open(cast):
    edit(cast.gm.member, name="Cinders & co")
    moved = '<a id="campaign-name" href="/c/ashes/">Cinders &amp; co</a>'
    assert moved in render_live(news().get(), Role.SPECTATOR)
    assert moved in cast.player.client.get(reverse("members", args=["ashes"])).content.decode()


def test_saving_what_it_is_already_tells_nothing(cast):
    edit(cast.gm.member)
    assert not news().exists()
