"""Covers: who sets them, who sees them, and that nothing of one is kept that nothing shows."""

from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from campaigns.models import Campaign, Cover, Role
from campaigns.services import play
from campaigns.services.members import invitation_token, invite
from campaigns.services.pictures import set_cover
from tests.characters.operations import picture
from tests.flows.pictures import upload
from tests.news import news


def cover_url(campaign):
    campaign.refresh_from_db()
    return reverse("cover", args=[campaign.slug, campaign.cover])


def test_a_gm_sets_the_cover_on_the_page_of_settings_and_takes_it_away(cast):
    url = reverse("campaign_cover", args=["ashes"])
    cast.gm.client.post(url, {"key": uuid4(), "picture": picture()})
    assert cast.player.client.get(cover_url(cast.campaign))["Content-Type"] == "image/webp"
    cast.gm.client.post(url, {"key": uuid4(), "remove": "1"})
    assert not Campaign.objects.get().cover and not Cover.objects.exists()
    assert [event.kind for event in news()] == ["campaigns.cover_changed"] * 2


def test_what_is_no_picture_is_refused_with_a_reason(cast):
    url, file = reverse("campaign_cover", args=["ashes"]), SimpleUploadedFile("a.png", b"no picture")
    page = cast.gm.client.post(url, {"key": uuid4(), "picture": file}, follow=True).content.decode()
    assert "can’t be read as a picture" in page and not Cover.objects.exists()


def test_it_is_seen_by_members_and_by_who_is_invited(cast, client):
    set_cover(cast.gm.member, upload("harrow"), key=uuid4())
    assert cast.spectator.client.get(cover_url(cast.campaign)).status_code == 200
    key = uuid4()
    invite(cast.gm.member, Role.PLAYER, days=1, uses=1, key=key)
    assert client.get(reverse("join_cover", args=[invitation_token(key)])).content == upload("harrow").full


def test_a_cover_from_before_there_were_icons_stands_small_for_its_icon(cast):
    set_cover(cast.gm.member, upload("harrow"), key=uuid4())
    cast.campaign.refresh_from_db()
    assert (
        reverse("cover_icon", args=["ashes", cast.campaign.cover])
        in cast.player.client.get("/c/ashes/").content.decode()
    )
    Cover.objects.update(icon=None, small=b"small")
    assert cast.player.client.get(cover_url(cast.campaign) + "icon/").content == b"small"


def test_a_scene_starts_with_its_picture_which_its_line_shows(cast):
    play.start_session(cast.gm.member, key=uuid4())
    scene = play.open_scene(cast.gm.member, "The Lantern Room", picture=upload("lamps"), key=uuid4())
    assert reverse("cover_small", args=["ashes", scene.cover]) in cast.player.client.get("/c/ashes/").content.decode()


def test_a_picture_stays_while_anything_shows_it(cast):
    play.start_session(cast.gm.member, key=uuid4())
    scene = play.open_scene(cast.gm.member, picture=upload("lamps"), key=uuid4())
    set_cover(cast.gm.member, upload("lamps"), key=uuid4())
    set_cover(cast.gm.member, None, key=uuid4())
    assert Cover.objects.count() == 1
    set_cover(cast.gm.member, None, scene=scene, key=uuid4())
    assert not Cover.objects.exists()


def test_a_gm_adds_a_handout_on_its_page_and_everyone_is_shown_it(cast):
    url = reverse("handout_add", args=["ashes"])
    refused = cast.gm.client.post(url, {"key": uuid4(), "title": "The map"})
    assert refused.status_code == 422 and "Choose a picture." in refused.content.decode()
    cast.gm.client.post(url, {"key": uuid4(), "title": "The map", "picture": picture()})
    for page in ("/c/ashes/", reverse("handouts", args=["ashes"])):
        assert "The map" in cast.player.client.get(page).content.decode()
