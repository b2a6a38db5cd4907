"""Faces of our own: their files, their names, and what an NPC in a line looks like."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.utils.translation import override

from characters.faces import ERAS, FACES, MOODS, fitting
from characters.models import Character
from characters.templatetags.sheets import face_url
from tests.characters.operations import at, send, text
from tests.doors import watcher
from tests.stored import reread

FILES = {path.stem: path.read_text() for path in Path(settings.BASE_DIR, "static/faces").glob("*")}


def face_of(name):
    return Character.objects.get(name=name).picture


def test_there_are_forty_each_a_small_file_that_only_draws():
    assert len(FACES) == 40 and set(FILES) == set(FACES)
    for name, drawing in FILES.items():
        assert len(drawing.encode()) <= 3000, name
        assert set(re.findall(r"<(\w+)", drawing)) <= {"svg", "clipPath", "rect", "ellipse", "circle", "path"}, name
        assert not re.search(r"href|style|\bon\w+=", drawing), name


def test_their_names_are_kept_apart_from_digests_and_told_in_both_languages():
    assert all(len(name) < Character.PICTURE and re.fullmatch(r"[a-z-]+", name) for name in FACES)
    assert {(face.era, face.mood) for face in FACES.values()} == {(era, mood) for era in ERAS for mood in MOODS}
    for language in ("en", "de"):
        with override(language):
            told = [str(face.words) for face in FACES.values()]
        assert len(set(told)) == 40
    assert face_url("stranger").endswith("faces/stranger.svg") and face_url("nobody") == face_url("") == ""


def test_what_fits_is_new_at_the_table_of_its_era_and_the_same_for_the_same_name():
    assert fitting("Vesper", []) == fitting("Vesper", []) and len({fitting(name, []) for name in "abcdefgh"}) > 3
    worn = ["pilot", "corsair", "nurse"]
    for name in ("Vesper", "The wardens", "Ö"):
        assert FACES[fitting(name, worn)].era == "rail" and fitting(name, worn) not in worn
    assert fitting("Vesper", [name for name in FACES if name != "nurse"]) == "nurse"


def test_an_npc_made_in_a_line_has_a_face_that_no_other_has_or_the_one_that_is_chosen(cast):
    for name, given in (("The wardens", {}), ("Vesper, hidden", {}), ("Moth", {"portrait": "captain"})):
        assert send(cast.gm, "npc_new", cast, name=name, of="system:storyteller", **given).status_code == 204
    assert face_of("Moth") == "captain" and {face_of("The wardens"), face_of("Vesper")} < set(FACES)
    assert face_of("The wardens") != face_of("Vesper")
    assert send(cast.gm, "npc_new", cast, name="Ash", of="system:storyteller", portrait="").status_code == 204
    assert send(cast.gm, "npc_new", cast, name="The crew", of="crew").status_code == 204
    assert face_of("Ash") == face_of("The crew") == "", "a letter that was chosen, and one for many"
    assert send(cast.gm, "npc_new", cast, name="Bram", portrait="nobody").status_code == 422


@pytest.mark.parametrize("way", ["character_new", "character_guided"])
def test_both_ways_of_making_a_character_have_the_drawer(cast, way):
    address = [] if way == "character_new" else ["forged"]
    page = text(cast.player.client.get(at(way, cast, *address)))
    assert page.count('<input type="radio" name="portrait"') == 42
    assert 'aria-label="Portrait 11: short red hair and a scarf"' in page
    given = {"name": "Ada", "known": "card"} | ({} if address else {"system": "storyteller"})
    refused = send(cast.player, way, cast, *address, htmx=False, **given, portrait="nobody")
    assert refused.status_code == 422 and not Character.objects.exists()
    assert send(cast.player, way, cast, *address, htmx=False, **given, portrait="smuggler").status_code == 302
    assert face_of("Ada") == "smuggler"


def test_a_chosen_face_is_wherever_a_picture_would_be_and_is_changed_by_whoever_may(cast, silas, hidden):
    for person, character, status in (
        (cast.other_player, silas, 403),
        (cast.spectator, silas, 403),
        (cast.player, hidden, 404),
        (cast.outsider, silas, 404),
        (cast.removed, silas, 404),
        (cast.player, silas, 302),
        (cast.gm, hidden, 302),
    ):
        answer = send(person, "character_portrait", cast, character.pk, htmx=False, portrait="seer")
        assert answer.status_code == status, person
    for name, of in (("character", [silas.pk]), ("characters", []), ("table", [])):
        for client in (cast.gm.client, cast.player.client, cast.other_player.client):
            assert face_url("seer") in text(client.get(at(name, cast, *of))), name
    assert f'id="face-{hidden.pk}"' not in text(watcher(cast).get(at("table", cast)))
    assert send(cast.player, "character_portrait", cast, silas.pk, htmx=False, portrait="own").status_code == 422
    assert reread(silas).picture == "seer"


def test_the_drawer_is_read_in_german(cast, silas):
    page = text(cast.player.client.get(at("character_portrait", cast, silas.pk), HTTP_ACCEPT_LANGUAGE="de"))
    for words in (
        "Gesicht von Silas Grey",
        "Porträt 11: kurzes rotes Haar und Schal",
        "Überrasch mich",
        "Ferne Sterne",
    ):
        assert words in page
