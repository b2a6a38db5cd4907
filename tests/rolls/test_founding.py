"""Founding a campaign with a first evening that is ready to play."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Invalid
from campaigns.models import Campaign, Event, GameSession, IdempotencyKey, Picture, Viewer
from campaigns.models.members import Role
from campaigns.queries.handouts import shelf
from campaigns.services.play import show_handout
from characters.models import Character
from rolls.services.founding import found_campaign
from tests.cast import person
from tests.doors import post
from tests.racing import at_once

pytestmark = pytest.mark.django_db

FORM = {"name": "", "pitch": "", "systems": ["storyteller"], "tonight": ["storyteller"]}


def found(user, key=None, **how):
    given = {"name": "Tonight", "pitch": "", "systems": ["storyteller"], "tonight": "storyteller"}
    return found_campaign(user, **given | how, key=key or uuid4())


def test_the_evening_names_and_describes_a_campaign_that_was_left_blank(cast):
    answer = post(cast.outsider.client, "campaign_new", **FORM)
    campaign = Campaign.objects.get(name="Ash on the Pillow")
    assert (answer.status_code, answer.url) == (302, f"/c/{campaign.slug}/")
    assert campaign.pitch.startswith("The lady who made you")
    page = cast.outsider.client.get(answer.url).content.decode()
    assert "The bed is turned down for one." in page


def test_a_name_of_ones_own_stays_and_without_an_evening_it_is_needed(cast):
    post(cast.outsider.client, "campaign_new", **FORM | {"name": "Cinders"})
    assert Campaign.objects.get(name="Cinders").pitch.startswith("The lady")
    assert post(cast.outsider.client, "campaign_new", **FORM | {"tonight": []}).status_code == 422
    assert post(cast.outsider.client, "campaign_new", **FORM | {"tonight": ["chess"]}).status_code == 422


def test_it_is_played_only_by_rules_that_are_chosen_and_only_one(cast):
    other = FORM | {"name": "Cinders", "tonight": ["forged"]}
    assert post(cast.outsider.client, "campaign_new", **other).status_code == 302
    assert not Character.objects.filter(campaign__name="Cinders").exists()
    both = FORM | {"name": "", "systems": ["storyteller", "forged"], "tonight": ["storyteller", "forged"]}
    answer = post(cast.outsider.client, "campaign_new", **both)
    assert answer.status_code == 422 and "Only one game can be played tonight" in answer.content.decode()
    assert "name" not in answer.context["form"].errors
    assert answer.content.decode().count('name="tonight"') == 4


def test_two_presses_lay_out_one_evening_and_count_as_two_operations():
    ana, key = person("ana", "Ana").user, uuid4()
    campaign, again = found(ana, key), found(ana, key)
    assert campaign == again and Character.objects.filter(campaign=campaign).count() == 9
    assert GameSession.objects.filter(campaign=campaign).count() == 1
    assert IdempotencyKey.objects.filter(campaign=campaign).count() == 2
    with pytest.raises(Invalid):
        found(person("bo", "Bo").user, key)
    assert Campaign.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_two_presses_at_once_lay_out_one_evening():
    press = partial(found, person("ana", "Ana").user, uuid4())
    assert at_once(press, press) == [Campaign.objects.get()] * 2
    assert Character.objects.count() == 9 and GameSession.objects.count() == 1


def test_there_is_no_campaign_where_its_evening_cannot_be_laid_out(monkeypatch):
    ana = person("ana", "Ana").user

    def breaks(*_):
        raise OSError

    monkeypatch.setattr("rolls.services.founding.shown_picture", breaks)
    with pytest.raises(OSError):
        found(ana)
    with pytest.raises(Invalid):
        found(ana, systems=["arc"])
    assert not Campaign.objects.exists() and not Event.objects.exists()


def test_a_hidden_handout_is_the_gms_until_they_show_it(cast):
    campaign = found(cast.player.user)
    gm = campaign.memberships.get()
    bo = person("bo", "Bo")
    bo.join(gm, Role.PLAYER)
    kept = Picture.objects.get(campaign=campaign)
    picture = reverse("shared_picture", args=[campaign.slug, kept.pk])
    assert gm.user and cast.player.client.get(picture).status_code == 200 and bo.client.get(picture).status_code == 404
    page = cast.player.client.get(f"/c/{campaign.slug}/handouts/").content.decode()
    assert "Only GMs see it so far." in page and "handout/reveal/" in page
    assert (
        bo.client.post(reverse("handout_reveal", args=[campaign.slug, kept.uid]), {"key": uuid4()}).status_code == 403
    )
    key = uuid4()
    for _ in range(2):
        show_handout(gm, kept.uid, key=key)
    (shown,) = shelf(Viewer(campaign, bo.member, Role.PLAYER))
    assert (shown.picture, shown.audience) == (kept, "everyone")
    assert [one.picture for one in shelf(Viewer(campaign, gm, Role.GM))] == [kept]
    assert bo.client.get(picture).status_code == 200
    assert "look for no enemy" in bo.client.get(f"/c/{campaign.slug}/").content.decode()
