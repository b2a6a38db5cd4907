"""The pictures themselves, and choosing one."""

import re
from io import BytesIO
from uuid import uuid4

import pytest
from PIL import Image

from characters.models import Portrait
from characters.services.cards import say_as, set_portrait
from tests.answers import same_page
from tests.characters.operations import at, change, picture, portrait_of, send, text
from tests.doors import look, watcher
from tests.stored import reread

PAGES = ("character", "character_card", "character_portrait")


def shown(client, character):
    return client.get(reread(character).portrait()["url"])


def given(cast, character):
    return set_portrait(cast.gm.member, character, portrait_of(), key=uuid4())


def test_an_uploaded_picture_is_on_the_page_and_is_served_anew(cast, silas):
    answer = send(cast.player, "character_portrait", cast, silas.pk, htmx=False, picture=picture(size=(900, 600)))
    assert answer.status_code == 302
    silas.refresh_from_db()
    url = silas.portrait()["url"]
    for name, of in (*((name, [silas.pk]) for name in PAGES), ("characters", [])):
        assert f'src="{url}"' in text(cast.player.client.get(at(name, cast, *of))), name
    served = shown(cast.player.client, silas)
    assert Image.open(BytesIO(served.content)).size == (512, 341)


def test_the_table_shows_an_icon_of_the_picture(cast, silas):
    send(cast.player, "character_portrait", cast, silas.pk, htmx=False, picture=picture(size=(900, 600)))
    silas.refresh_from_db()
    icon, page = silas.portrait()["url"] + "icon/", text(cast.player.client.get(at("table", cast)))
    assert f'src="{icon}"' in page and f'src="{silas.portrait()["url"]}"' not in page
    assert Image.open(BytesIO(cast.player.client.get(icon).content)).size == (160, 107)


def test_a_picture_from_before_there_were_icons_stands_for_its_icon(cast, silas):
    character = given(cast, silas)
    Portrait.objects.update(icon=None)
    answers = [cast.player.client.get(character.portrait()["url"] + part) for part in ("", "icon/")]
    assert answers[0].content == answers[1].content == portrait_of().image


def test_it_is_sent_as_what_it_is_and_kept_by_the_readers_browser_alone(cast, silas):
    given(cast, silas)
    answer = shown(cast.spectator.client, silas)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "image/webp" and answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Cache-Control"] == "private, max-age=31536000, immutable"
    assert "Set-Cookie" not in answer and answer["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "img-src 'self';" in answer["Content-Security-Policy"] + ";"


def test_the_face_of_a_hidden_npc_is_for_gms_alone(cast, hidden):
    given(cast, hidden)
    assert shown(cast.gm.client, hidden).status_code == 200
    nowhere = at("portrait", cast, uuid4(), "0" * 32)
    for client in (cast.player.client, cast.spectator.client, watcher(cast), cast.outsider.client, cast.removed.client):
        found, missing = shown(client, hidden), client.get(nowhere)
        assert found.status_code == 404 and same_page(found, missing) and found.headers == missing.headers
    look(cast, "player")
    assert shown(cast.gm.client, hidden).status_code == 404


def test_a_face_that_was_known_is_gone_when_its_npc_is_hidden(cast, npc):
    url = given(cast, npc).portrait()["url"]
    for client in (cast.player.client, watcher(cast)):
        assert client.get(url).status_code == client.get(url + "icon/").status_code == 200
    change(cast.gm.member, npc, shown=False)
    assert cast.player.client.get(url).status_code == cast.player.client.get(url + "icon/").status_code == 404


@pytest.mark.parametrize("picture_id", ["0" * 32, "x", "..", "9" * 3000])
def test_another_picture_than_the_present_one_is_not_there(cast, silas, picture_id):
    given(cast, silas)
    assert cast.player.client.get(at("character", cast, silas.pk) + f"portrait/{picture_id}/").status_code == 404


@pytest.mark.parametrize(
    ("name", "data", "status", "words"),
    [
        ("x.png", b"<svg onload='alert(1)'/>", 422, "This file can’t be read as a picture."),
        ("x.html", b"<script>alert(1)</script>", 422, "This file can’t be read as a picture."),
        ("x.png", b"", 422, "This file is empty."),
        ("x.png", b"\x89PNG" + b"\0" * 5_000_001, 422, "Pictures can be up to 5 MB. Make this one smaller."),
        ("x.png", b"\x89PNG" + b"\0" * 10_000_000, 413, "You can send up to 6 MB at once"),
    ],
)
def test_what_is_no_picture_comes_back_with_what_is_wrong(cast, silas, name, data, status, words):
    upload = BytesIO(data)
    upload.name = name
    answer = send(cast.player, "character_portrait", cast, silas.pk, htmx=False, picture=upload)
    assert answer.status_code == status and words in text(answer)
    assert not Portrait.objects.exists()


def test_a_form_without_a_picture_says_so(cast, silas):
    answer = send(cast.player, "character_portrait", cast, silas.pk, htmx=False)
    assert answer.status_code == 422 and "Choose a picture first." in text(answer)


def test_a_removed_portrait_leaves_the_initial(cast, silas):
    url = given(cast, silas).portrait()["url"]
    assert send(cast.player, "character_portrait", cast, silas.pk, htmx=False, portrait="").status_code == 302
    assert cast.player.client.get(url).status_code == 404
    assert "<img" not in text(cast.player.client.get(at("character", cast, silas.pk)))


def test_the_table_has_the_faces_of_those_its_reader_knows_of(cast, silas, hidden, npc):
    for one in (silas, hidden):
        given(cast, one)
    everybody = (cast.player, [silas, npc]), (cast.spectator, [silas, npc])
    for person, known in ((cast.gm, [silas, hidden, npc]), *everybody):
        faces = re.search(r'<div id="faces" hidden>(.*?)</div>', text(person.client.get(at("table", cast))), re.DOTALL)
        assert faces
        assert sorted(re.findall(r'data-of="([^"]+)"', faces[1])) == sorted(str(one.pk) for one in known)
        assert faces[1].count("<img") == len(known) - 1, "who has no picture has a letter"


def test_a_line_says_whose_face_belongs_beside_it(cast, silas):
    say_as(cast.player.member, silas, "Nobody move.", key=uuid4())
    line = text(cast.spectator.client.get(at("table", cast)))
    assert f'data-of="{silas.pk}"' in line
