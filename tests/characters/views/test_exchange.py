"""Taking a sheet as a file, and the page that makes a character of one."""

import json
import re
from html import unescape
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from characters.forms.exchange import LARGEST_FILE
from characters.models import Character
from characters.services.cards import Card, make_character
from characters.services.fields import set_field
from tests.canaries import canary
from tests.characters.operations import at, page, text
from tests.characters.sheets import foundry_files
from tests.stored import store

GOOD = {"format": "afterburn-sheet", "version": 1, "system": "arc", "name": "Ana", "values": {"build": 7}}


def send(person, cast, file, **given):
    upload = SimpleUploadedFile("ana.json", file if isinstance(file, bytes) else json.dumps(file).encode())
    return person.client.post(at("character_import", cast), {"key": str(uuid4()), "file": upload, **given})


def test_a_sheet_is_a_file_of_its_name(cast, silas):
    answer = page(cast.player, "character_export", cast, silas.pk)
    assert answer.status_code == 200 and answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"] == 'attachment; filename="Silas Grey.json"'
    assert answer["Cache-Control"] == "private, no-store"
    assert answer.json()["values"]["strength"] == 1


def test_files_of_everybody_are_free_of_what_others_know(cast, silas, npc):
    for field, who, words in (
        ("notes", cast.player, canary("mo", "notes")),
        ("gm_notes", cast.gm, canary("gm", "sheet")),
    ):
        silas = set_field(who.member, silas, field, words, expected="", key=uuid4())
    for person in (cast.gm, cast.player, cast.other_player, cast.spectator):
        for character in (silas, npc):
            # The suite's ear (tests/conftest.py) is at each of these answers.
            assert page(person, "character_export", cast, character.pk).status_code == 200
    assert canary("gm", "sheet") in text(page(cast.gm, "character_export", cast, silas.pk))


def test_a_name_cannot_reach_into_the_headers(cast):
    odd = make_character(cast.player.member, Card('A/"b"; é\\', owner=cast.player.member), key=uuid4())
    named = page(cast.player, "character_export", cast, odd.pk)["Content-Disposition"]
    assert named.startswith("attachment; filename*=utf-8''") and "/" not in named


def test_a_player_makes_their_own_character_of_a_file(cast):
    answer = send(cast.player, cast, GOOD)
    ana = Character.objects.get()
    assert answer.status_code == 302 and str(ana.pk) in answer["Location"]
    assert (ana.owner, ana.system, ana.value("build")) == (cast.player.member, "arc", 7)


def test_a_gm_makes_an_npc_or_somebodys_character_of_a_file(cast):
    assert send(cast.gm, cast, GOOD).status_code == 302
    npc = Character.objects.get()
    assert npc.owner is None and npc.is_hidden
    assert send(cast.gm, cast, GOOD, owner=cast.player.member.pk).status_code == 302
    assert Character.objects.exclude(pk=npc.pk).get().owner == cast.player.member


def test_all_faults_are_on_the_page_and_nothing_is_made(cast):
    file = GOOD | {"values": {"build": 11, "us_build": 2}, "rows": {"skills": [{"name": "Climbing"}, {"es": 4}]}}
    answer = send(cast.player, cast, file)
    assert answer.status_code == 422 and not Character.objects.exists()
    for fault in ("build: Build goes from 1 to 10, not 11.", "us_build: Only GMs", "skills/2/name: "):
        assert fault in text(answer)


@pytest.mark.parametrize(
    ("file", "words"),
    [
        (b"", "This file is empty"),
        (b"{", "This is not JSON: see line 1, column 2."),
        (b"\xff\xfe\x00", "not a JSON file in UTF-8"),
        (b"[" * 500_000, "nested too deeply"),
        (b'{"format": NaN}', "not a JSON file"),
        (b"9" * 5000, "not a JSON file"),
        (b" " * (LARGEST_FILE + 1), "larger than 1 MB"),
        (b"null", "format: "),
        (json.dumps(GOOD | {"values": {"\ud800<b>": 1}}).encode(), "?&lt;b&gt;: "),
        (json.dumps(GOOD | {"name": "<script>"} | {"system": "chess"}).encode(), "system: "),
        (
            json.dumps(GOOD | {"crew": True, "system": "forged", "values": {}}).encode(),
            "crew: Only GMs can make crews.",
        ),
        *(
            (foundry_files.scoundrel() | change, words)
            for change, words in (
                ({"_stats": {"systemId": "dnd5e<b>\u202e"}}, "in the Foundry system “dnd5e&lt;b&gt;?”"),
                ({"name": ""}, "name: A character needs a name."),
                ({"name": "\ud800"}, "name: It has a character that can’t be shown"),
                ({"name": "\u202aNadja\u202c"}, "name: It has a character that can’t be shown (U+202A)"),
                (
                    {"type": "\U0001f55b clock"},
                    "“Nera Voss” can’t be imported. It is of the type “\U0001f55b clock” in the Foundry system",
                ),
                ({"type": "ability", "items": None}, "It is of the type “ability”"),
            )
        ),
    ],
)
def test_what_cannot_be_read_is_said_to_be_so(cast, file, words):
    answer = send(cast.player, cast, file)
    assert answer.status_code == 422 and words in text(answer)
    assert not Character.objects.exists()


def test_a_crew_comes_in_as_everybodys(cast):
    file = GOOD | {"crew": True, "system": "forged", "name": "The Wick", "values": {"tier": 2}}
    assert "A crew belongs to everyone" in text(send(cast.gm, cast, file, owner=cast.player.member.pk))
    assert send(cast.gm, cast, file).status_code == 302
    crew = Character.objects.get()
    assert crew.is_crew and crew.shown and crew.value("tier") == 2


def test_nobody_else_is_offered_to_a_player(cast):
    shown = text(page(cast.player, "character_import", cast))
    assert "Played by" not in shown and 'enctype="multipart/form-data"' in shown
    assert "Played by" in text(page(cast.gm, "character_import", cast))


# Files of other programs


def confirm(person, cast, answer, **given):
    """Press the button of the page that shows what was left out."""
    hidden = dict(re.findall(r'<input type="hidden" name="(sheet|owner|shown)" value="([^"]*)"', text(answer)))
    fields = {name: unescape(value) for name, value in hidden.items()}
    return person.client.post(at("character_import", cast), fields | {"key": str(uuid4())} | given)


def test_of_a_foundry_actor_is_shown_what_is_left_out_before_anything_is_saved(cast):
    answer = send(cast.player, cast, foundry_files.scoundrel())
    shown = text(answer)
    assert answer.status_code == 200 and not Character.objects.exists()
    for words in ("Nera Voss", "Foundry, Blades in the Dark", "Nothing is saved yet", "Drowned", "Imported as 4"):
        assert words in shown
    assert confirm(cast.player, cast, answer).status_code == 302
    nera = Character.objects.get()
    assert (nera.name, nera.concept, nera.owner, nera.system) == ("Nera Voss", "Ash", cast.player.member, "forged")
    assert nera.value("study") == 2 and [row["name"] for row in nera.values["harm_1"]] == ["Bruised"]


def test_a_gm_imports_somebodys_character_without_private_notes(cast):
    owner = cast.player.member
    answer = send(cast.gm, cast, foundry_files.vampire(), owner=owner.pk)
    assert "You can’t import private notes" in text(answer) and "harbour" not in text(answer)
    assert confirm(cast.gm, cast, answer).status_code == 302
    ilse = Character.objects.get()
    assert (ilse.owner, ilse.value("notes"), ilse.value("clan")) == (owner, "", "Shore")


def test_a_player_brings_their_own_notes_and_a_gm_an_npc(cast):
    assert confirm(cast.player, cast, send(cast.player, cast, foundry_files.vampire())).status_code == 302
    assert "harbour" in Character.objects.get().value("notes")
    assert confirm(cast.gm, cast, send(cast.gm, cast, foundry_files.pc(), shown="on")).status_code == 302
    assert Character.objects.get(name="Tomas Reyl").shown


def test_a_crew_from_foundry_is_a_gms_to_make(cast):
    answer = send(cast.player, cast, foundry_files.crew())
    assert answer.status_code == 422 and "Only GMs can make crews" in text(answer)
    assert confirm(cast.gm, cast, send(cast.gm, cast, foundry_files.crew())).status_code == 302
    assert Character.objects.get().is_crew


def test_pictures_in_a_file_do_not_count_and_do_not_come_along(cast):
    picture = f"data:image/png;base64,{'A' * LARGEST_FILE}"
    file = foundry_files.scoundrel() | {"img": picture}
    file["system"]["look"] = f'Grey coat<img src="{picture}">'
    answer = send(cast.player, cast, file)
    assert answer.status_code == 200 and "AAAA" not in text(answer)
    assert confirm(cast.player, cast, answer).status_code == 302
    assert Character.objects.get().value("look") == "Grey coat"


def test_an_npc_from_foundry_is_an_npc(cast):
    assert confirm(cast.gm, cast, send(cast.gm, cast, foundry_files.shape("blades-npc"))).status_code == 302
    npc = Character.objects.get()
    assert (npc.name, npc.concept, npc.owner, npc.is_hidden) == ("Old Marten", "ferryman", None, True)


def test_an_actor_of_a_game_that_is_not_played_here_is_refused(cast):
    store(cast.campaign, systems=["arc"])
    answer = send(cast.player, cast, foundry_files.scoundrel())
    assert answer.status_code == 422 and "doesn’t use that system" in text(answer)


@pytest.mark.parametrize("sheet", ["", "{", "null", "[" * 90_000, json.dumps(GOOD | {"values": {"us_build": 2}})])
def test_what_is_sent_in_place_of_what_was_shown_is_checked_like_a_file(cast, sheet):
    answer = cast.player.client.post(at("character_import", cast), {"key": str(uuid4()), "sheet": sheet})
    assert answer.status_code == 422 and not Character.objects.exists()


def test_somebody_who_has_left_since_is_not_given_a_character(cast):
    answer = send(cast.gm, cast, foundry_files.scoundrel(), owner=cast.player.member.pk)
    again = confirm(cast.gm, cast, answer, owner="999999")
    assert again.status_code == 422 and 'role="alert"' in text(again) and not Character.objects.exists()
