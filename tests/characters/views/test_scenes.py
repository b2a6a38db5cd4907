"""The scene as a place: who opens it with what, what all see of it live and after a reload, and who can't change it."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from campaigns.errors import Blocked
from campaigns.live.render import render_live
from campaigns.models import Cover, Event, GameSession, Role, Scene
from campaigns.services import play
from campaigns.services.erasing import erase_words
from campaigns.services.log import version
from campaigns.services.pictures import set_cover, show_scene
from tests.characters.operations import picture
from tests.dom import parse
from tests.doors import send
from tests.flows.pictures import upload
from tests.stored import reread, store

NAME = "The stair of the light"


@pytest.fixture
def session(cast):
    return play.start_session(cast.gm.member, key=uuid4())


def at(name, *of):
    return reverse(name, args=["ashes", *of])


def band(person):
    return str(parse(person.client.get(at("table")).content.decode()).by_id("scene-band"))


def live(kind, role=Role.PLAYER):
    events = Event.objects.with_related().select_related("campaign").filter(kind=f"campaigns.{kind}")
    return parse(render_live(events.latest("pk"), role))


def opened(cast, silas, **more):
    typed = {"title": NAME, "words": "The stair winds down.", "here": f"character:{silas.pk}", "picture": picture()}
    return send(cast.gm, "scene_open", **(typed | more))


def test_a_scene_opens_with_its_picture_who_is_here_and_words_in_one_operation(cast, session, silas):
    assert opened(cast, silas).status_code == 204
    told = list(Event.objects.order_by("pk").values_list("kind", flat=True))[-2:]
    assert told == ["campaigns.scene_opened", "campaigns.said"]
    words = Event.objects.latest("pk")
    assert (words.payload["manner"], words.payload["words"]) == ("narration", "The stair winds down.")
    cover = Scene.objects.get().cover
    for person in (cast.gm, cast.player, cast.spectator):
        shown = band(person)
        assert NAME in shown and silas.name in shown and at("cover", cover) in shown
        assert ("Next scene" in shown) == ("Rename" in shown) == (person is cast.gm)
    for role in Role:
        drawn = str(live("scene_opened", role).by_id("scene-band"))
        assert NAME in drawn and silas.name in drawn and at("cover", cover) in drawn
        assert ("Next scene" in drawn) == (role == Role.GM)


def test_an_npc_that_players_do_not_know_is_neither_offered_nor_announced(cast, session, silas, hidden):
    form = cast.gm.client.get(at("scene_open"), headers={"HX-Request": "true"}).content.decode()
    assert silas.name in form and hidden.name not in form
    refused = opened(cast, silas, here=f"character:{hidden.pk}")
    assert refused.status_code == 422 and "Open the form again" in refused.content.decode()
    assert not Scene.objects.exists() and hidden.name not in band(cast.player)


def test_a_second_gm_who_was_quicker_is_not_overwritten(cast, session, silas):
    seen = play.scene_version(session, None)
    assert opened(cast, silas, expected=seen).status_code == 204
    late = opened(cast, silas, title="Elsewhere", expected=seen)
    assert late.status_code == 409 and f"{cast.gm.member.name} changed the scene first" in late.content.decode()
    assert [scene.title for scene in Scene.objects.all()] == [NAME]


def test_it_is_renamed_in_the_dialog_and_called_so_everywhere(cast, session):
    scene = play.open_scene(cast.gm.member, NAME, key=uuid4())
    url = at("scene_title", 1, 1)
    form = parse(cast.gm.client.get(url, headers={"HX-Request": "true"}).content.decode())
    assert form.by_id("desk-form") is not None
    seen = version({"title": scene.title})
    assert send(cast.gm, "scene_title", 1, 1, title="The lamp", expected=seen).status_code == 204
    assert "The lamp" in band(cast.player) and "The lamp" in str(live("scene_titled").by_id("scene-band-name"))


def test_the_title_of_an_earlier_scene_leaves_the_band_alone(cast, session):
    first = play.open_scene(cast.gm.member, "The quay", key=uuid4())
    play.open_scene(cast.gm.member, NAME, key=uuid4())
    play.title_scene(cast.gm.member, first, "The pier", expected=version({"title": "The quay"}), key=uuid4())
    assert NAME in str(live("scene_titled").by_id("scene-band-name"))


@pytest.mark.parametrize("ends", [play.close_scene, play.end_session])
def test_the_band_goes_with_its_scene(cast, session, ends):
    play.open_scene(cast.gm.member, NAME, key=uuid4())
    ends(cast.gm.member, key=uuid4())
    kind = "scene_closed" if ends is play.close_scene else "session_ended"
    for shown in (band(cast.player), str(live(kind).by_id("scene-band"))):
        assert NAME not in shown
    assert ("Next scene" in band(cast.gm)) == (ends is play.close_scene)


def test_a_picture_of_a_line_becomes_the_scenes_with_one_press(cast, session):
    scene = play.open_scene(cast.gm.member, NAME, key=uuid4())
    line = play.say(cast.player.member, "Look", picture=upload("a map"), key=uuid4())
    assert f"scene-of-{line.uid}" in cast.gm.client.get(at("table")).content.decode()
    assert send(cast.gm, "picture_scene", line.uid).status_code == 204
    scene.refresh_from_db()
    assert cast.player.client.get(at("cover", scene.cover)).content == upload("a map").full
    assert at("cover", scene.cover) in band(cast.player)
    assert at("cover", scene.cover) in str(live("cover_changed").by_id("scene-picture-1-1"))
    erase_words(cast.gm.member, cast.player.member, key=uuid4())
    assert not reread(scene).cover and not Cover.objects.exists()


def test_a_whispered_picture_does_not_become_the_scenes(cast, session):
    play.open_scene(cast.gm.member, NAME, key=uuid4())
    line = play.whisper(cast.player.member, "Look", to=[cast.gm.member], picture=upload("x"), key=uuid4())
    with pytest.raises(Blocked, match="Not everyone may see this picture"):
        show_scene(cast.gm.member, line.uid, key=uuid4())
    assert f"scene-of-{line.uid}" not in cast.gm.client.get(at("table")).content.decode()
    assert not Cover.objects.exists()


def test_between_scenes_a_picture_has_no_scene(cast, session):
    line = play.say(cast.gm.member, "Look", picture=upload("a map"), key=uuid4())
    refused = send(cast.gm, "picture_scene", line.uid)
    assert refused.status_code == 409 and "No scene is in progress." in refused.content.decode()


def test_a_cover_of_the_campaign_or_of_an_earlier_scene_is_not_put_into_the_band(cast, session):
    first = play.open_scene(cast.gm.member, "The quay", key=uuid4())
    play.open_scene(cast.gm.member, NAME, key=uuid4())
    set_cover(cast.gm.member, upload("quay"), scene=first, key=uuid4())
    assert live("cover_changed").by_id("scene-picture-1-1") is not None
    assert "scene-picture-1-2" in band(cast.player) and "scene-picture-1-1" not in band(cast.player)
    set_cover(cast.gm.member, upload("all"), key=uuid4())
    assert "scene-picture" not in str(live("cover_changed"))


def test_a_scene_of_before_has_its_number_alone(cast, session):
    scene = play.open_scene(cast.gm.member, key=uuid4())
    event = Event.objects.select_related("stored").get(kind="campaigns.scene_opened")
    store(
        event.stored,
        payload={name: value for name, value in event.stored.payload.items() if name not in ("here", "cover")},
    )
    assert "Scene 1" in band(cast.player) and GameSession.objects.get() == scene.session
