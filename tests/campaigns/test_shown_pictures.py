"""Pictures beside lines: who may see them, what is refused, and what becomes of them."""

from __future__ import annotations

import json
from io import BytesIO
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from PIL import Image

from campaigns.errors import Blocked, Forbidden, NotFound
from campaigns.events import PICTURE_SEEN, PICTURE_SHOWN
from campaigns.live.render import render_line, render_live
from campaigns.models import Event, Picture, Role
from campaigns.services import play
from campaigns.services.erasing import erase_words
from campaigns.services.pictures import drop_handout, keep_handout, see_picture, show_picture
from campaigns.services.safety import pause_play
from tests.answers import same_page
from tests.doors import look, watcher
from tests.flows.hostile import ELEMENTS, harmless
from tests.flows.pictures import upload


def at(name, cast, *of):
    return reverse(name, args=[cast.campaign.slug, *of])


def made(form="PNG", size=(900, 600), **how):
    out = BytesIO()
    Image.new("RGB", size, "tomato").save(out, form, **how)
    out.seek(0)
    out.name = "a.png"
    return out


def send(person, cast, picture, text="Look", voice="player", **more):
    typed = {"key": str(uuid4()), "voice": voice, "text": text, "picture": picture} | more
    return person.client.post(at("compose", cast), typed, headers={"hx-request": "true"})


def said(by, alt=""):
    return play.say(by.member, "Look", picture=upload("a map", alt), key=uuid4())


def whispered(cast):
    line = play.whisper(cast.player.member, "Look", to=[cast.other_player.member], picture=upload("x"), key=uuid4())
    return Picture.objects.get(uid=line.uid)


def drawn(event, role=Role.PLAYER):
    return render_line(Event.objects.with_related().select_related("campaign").get(pk=event.pk), role)


def test_what_is_sent_stands_beside_the_words_and_is_served_anew_to_all_who_see_the_line(cast):
    exif = Image.Exif()
    exif[0x9286] = "where we live"
    assert send(cast.player, cast, made("JPEG", (2000, 1000), exif=exif), alt="A map").status_code == 204
    picture, line = Picture.objects.get(), Event.objects.latest("pk")
    assert line.payload["picture"] == {"id": str(picture.pk), "width": 1600, "height": 800, "alt": "A map"}
    assert picture.uid == line.uid and b"where we live" not in bytes(picture.full) + bytes(picture.small)
    for client in (cast.gm.client, cast.other_player.client, cast.spectator.client, watcher(cast)):
        page = client.get(at("table", cast)).content.decode()
        assert f'src="{at("shared_picture_small", cast, picture.pk)}"' in page and 'alt="A map"' in page
        answer = client.get(at("shared_picture", cast, picture.pk))
        assert Image.open(BytesIO(answer.content)).size == (1600, 800)
        small = client.get(at("shared_picture_small", cast, picture.pk))
        assert Image.open(BytesIO(small.content)).size == (640, 320)
    assert answer["Content-Type"] == "image/webp" and answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cache-Control"] == "private, max-age=31536000, immutable"
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"


@pytest.mark.parametrize("voice", ["player", "narration", "whisper"])
def test_a_picture_needs_no_words_whatever_the_voice(cast, voice):
    answer = send(cast.gm, cast, made(), text="", voice=voice, to=[cast.player.member.pk])
    assert answer.status_code == 204 and Picture.objects.count() == 1


def test_the_picture_of_a_whisper_is_for_both_and_the_gms_and_for_nobody_else(cast):
    picture = whispered(cast)
    others = (cast.spectator.client, watcher(cast), cast.outsider.client, cast.removed.client, Client())
    for name in ("shared_picture", "shared_picture_small"):
        for person in (cast.player, cast.other_player, cast.gm):
            assert person.client.get(at(name, cast, picture.pk)).content == upload("x").full
        for client in others:
            hidden, missing = (client.get(at(name, cast, one)) for one in (picture.pk, uuid4()))
            assert hidden.status_code == missing.status_code == 404
            assert same_page(hidden, missing) and hidden.headers == missing.headers
    look(cast, "player")
    assert cast.gm.client.get(at("shared_picture", cast, picture.pk)).status_code == 404


def moving():
    out = BytesIO()
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("tomato", "teal")]
    frames[0].save(out, "GIF", save_all=True, append_images=frames[1:])
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<svg onload='alert(1)'/>", "can’t be read as a picture"),
        (b"", "This file is empty"),
        (b"\x89PNG" + b"\0" * 5_000_001, "up to 5 MB"),
        (moving(), "This picture is animated"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words_and_nothing_is_said(cast, data, words):
    file = BytesIO(data)
    file.name = "x.png"
    before = Event.objects.count()
    answer = send(cast.player, cast, file)
    assert answer.status_code == 422 and words in answer.content.decode()
    assert Event.objects.count() == before and not Picture.objects.exists()


def test_a_campaign_has_only_so_much_room_for_them(cast, settings):
    settings.LARGEST_PICTURES = 150
    said(cast.player)
    with pytest.raises(Blocked, match="wasn’t sent"):
        said(cast.player)
    assert Picture.objects.count() == 1
    play.say(cast.player.member, "Words have room.", key=uuid4())


def test_a_picture_without_its_line_is_never_there(cast):
    with pytest.raises(Forbidden):
        play.narrate(cast.player.member, "x", picture=upload("x"), key=uuid4())
    pause_play(cast.gm.member, key=uuid4())
    with pytest.raises(Blocked):
        said(cast.player)
    assert not Picture.objects.exists()


def test_sent_twice_it_is_said_once(cast):
    key = uuid4()
    lines = {play.say(cast.player.member, "x", picture=upload("x"), key=key) for _ in range(2)}
    assert len(lines) == Picture.objects.count() == 1


def test_a_roll_takes_no_picture_along(cast):
    answer = send(cast.player, cast, made(), text="/roll 3")
    assert answer.status_code == 422 and "can’t have a picture" in answer.content.decode()


def test_erasing_its_senders_words_takes_it_and_the_way_to_it(cast):
    line = said(cast.player, alt="Our street")
    show_picture(cast.gm.member, line.uid, key=uuid4())
    keep_handout(cast.gm.member, line.uid, "The street", key=uuid4())
    others = said(cast.other_player, alt="Our street")
    picture = Picture.objects.get(uid=line.uid)
    erase_words(cast.gm.member, cast.player.member, key=uuid4())
    assert list(Picture.objects.values_list("uid", flat=True)) == [others.uid]
    for person in (cast.gm, cast.player):
        assert person.client.get(at("shared_picture", cast, picture.pk)).status_code == 404
        page = person.client.get(at("table", cast)).content.decode()
        assert str(picture.pk) not in page and "[Erased picture]" in page
    shown = Event.objects.get(kind=PICTURE_SHOWN)
    assert shown.payload["picture"]["id"] is None and shown.payload["picture"]["alt"] == "[erased]"
    assert "<img" not in render_live(shown, Role.PLAYER)


def test_files_of_the_log_name_it_and_hold_no_bytes(cast):
    said(cast.player, alt="A *map*")
    url = at("log_export", cast)
    plain, escaped = "[Picture: A *map*]", r"\[Picture: A \*map\*\]"
    for form, words in (("csv", plain), ("markdown", escaped), ("page", plain)):
        assert words in cast.gm.client.get(url, {"as": form}).getvalue().decode()
    lines = [json.loads(line) for line in cast.gm.client.get(url, {"as": "jsonl"}).getvalue().splitlines()]
    told = next(line["payload"]["picture"] for line in lines if "picture" in line.get("payload", {}))
    assert told == Picture.objects.get().payload()


def test_an_archive_from_elsewhere_has_its_words_alone(cast):
    line = said(cast.player, alt="A map")
    line.campaign.imported_at = line.at
    assert "[Picture that isn’t stored here: A map]" in render_line(line, Role.GM)


def test_who_sent_it_and_gms_show_it_to_all_who_see_the_line(cast):
    line = said(cast.player)
    show_picture(cast.player.member, line.uid, key=uuid4())
    show_picture(cast.gm.member, line.uid, key=uuid4())
    with pytest.raises(NotFound):
        show_picture(cast.other_player.member, line.uid, key=uuid4())
    hidden = whispered(cast)
    show_picture(cast.player.member, hidden.uid, key=uuid4())
    shown = Event.objects.filter(kind=PICTURE_SHOWN)
    told = {event.stream.name for event in shown.filter(uid=shown.latest("pk").uid)}
    assert told == {cast.player.member.stream, cast.other_player.member.stream}
    assert at("shared_picture", cast, hidden.pk) in render_live(shown.latest("pk"), Role.PLAYER)
    words = play.say(cast.player.member, "No picture", key=uuid4())
    with pytest.raises(NotFound):
        show_picture(cast.gm.member, words.uid, key=uuid4())


def test_who_has_seen_it_is_told_once_and_shown_to_gms_alone(cast):
    show_picture(cast.gm.member, said(cast.player).uid, key=uuid4())
    showing = Event.objects.get(kind=PICTURE_SHOWN)
    for person in (cast.player, cast.spectator, cast.player):
        see_picture(person.member, showing.uid, key=uuid4())
    assert Event.objects.filter(kind=PICTURE_SEEN).count() == 2
    told = Event.objects.filter(kind=PICTURE_SEEN).latest("pk")
    assert "seen by Mo, Spectator" in drawn(showing, Role.GM) and "seen by Mo, Spectator" in render_live(told, Role.GM)
    for role in (Role.PLAYER, Role.SPECTATOR):
        assert "seen by" not in drawn(showing, role)
        assert not render_live(told, role).strip()


def test_the_table_of_who_has_seen_it_says_so_on_every_device_and_to_them_alone(cast):
    show_picture(cast.gm.member, said(cast.player).uid, key=uuid4())
    showing = Event.objects.get(kind=PICTURE_SHOWN)
    see_picture(cast.player.member, showing.uid, key=uuid4())
    for person in (cast.player, cast.other_player, cast.spectator, cast.gm):
        table = person.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
        assert (f'data-seen="{showing.uid}"' in table) == (person is cast.player)


def test_only_who_was_shown_it_can_say_so(cast):
    show_picture(cast.player.member, whispered(cast).uid, key=uuid4())
    showing = Event.objects.filter(kind=PICTURE_SHOWN).latest("pk")
    with pytest.raises(NotFound):
        see_picture(cast.spectator.member, showing.uid, key=uuid4())
    see_picture(cast.other_player.member, showing.uid, key=uuid4())
    assert Event.objects.filter(kind=PICTURE_SEEN).count() == 2  # in each of both streams


def test_handouts_are_listed_for_those_who_may_see_the_line(cast):
    open_one, hidden = said(cast.player, alt="A map"), whispered(cast)
    for uid, title in ((open_one.uid, "The map"), (hidden.uid, "The letter")):
        kept = cast.gm.client.post(at("handout_keep", cast, uid), {"key": str(uuid4()), "title": title})
        assert kept.status_code == 302
    for person, titles in ((cast.gm, 2), (cast.player, 2), (cast.other_player, 2), (cast.spectator, 1)):
        page = person.client.get(at("handouts", cast)).content.decode()
        assert "The map" in page and page.count('<li class="card shelf-item"') == titles
        assert ("Remove from handouts" in page) == (person is cast.gm)
    changed = Event.objects.filter(stream__name="table", kind="campaigns.handout_changed")
    assert "The letter" not in "".join(map(drawn, changed)) and "The map" in "".join(map(drawn, changed))
    drop_handout(cast.gm.member, open_one.uid, key=uuid4())
    assert "The map" not in cast.spectator.client.get(at("handouts", cast)).content.decode()
    empty = cast.gm.client.post(at("handout_keep", cast, open_one.uid), {"key": str(uuid4()), "title": " "})
    assert empty.status_code == 422


@pytest.mark.parametrize("words", ELEMENTS)
def test_what_a_picture_shows_and_is_called_is_words(cast, words):
    line = said(cast.player, alt=words[:300])
    show_picture(cast.gm.member, line.uid, key=uuid4())
    keep_handout(cast.gm.member, line.uid, words[:120], key=uuid4())
    for role in Role:
        for event in Event.objects.order_by("-pk")[:3]:
            assert harmless(render_live(event, role))
    assert harmless(cast.gm.client.get(at("handouts", cast)).content.decode())
