"""The history of a field: who set it, when, from what to what, why; for those alone who may see the field."""

import re
from uuid import uuid4

import pytest

from characters.services.fields import add_row, remove_row, row_version, set_field
from characters.views import sheet
from tests.answers import same_page
from tests.canaries import canary
from tests.characters.operations import at, put, text
from tests.stored import store


def read(person, cast, character, field, **more):
    return person.client.get(at("field_history", cast, character.pk), {"field": field, **more})


def words(answer):
    return re.sub(r"(<[^>]*>|\s)+", " ", text(answer)).strip()


def test_every_change_is_told_newest_first_with_its_reason(cast, silas):
    set_field(cast.player.member, silas, "strength", 2, expected=1, why="A winter at the docks", key=uuid4())
    put(cast.gm.member, silas, "strength", 3, 2)
    put(cast.gm.member, silas, "wits", 4, 1)
    said = words(read(cast.player, cast, silas, "strength"))
    assert re.fullmatch(r"Gm · .* 2 to 3 Mo · .* · A winter at the docks from 1 to 2", said)


def test_a_gm_reads_each_change_once_however_many_heard_of_it(cast, silas):
    silas.co_owners.add(cast.other_player.member)
    put(cast.player.member, silas, "strength", 2, 1)
    assert words(read(cast.gm, cast, silas, "strength")).count("1 to 2") == 1


def test_a_row_tells_of_its_coming_its_columns_and_a_list_of_what_is_gone(cast, silas):
    key = uuid4()
    silas = add_row(cast.player.member, silas, "backgrounds", {"name": "Allies", "rating": 2}, key=key)
    put(cast.gm.member, silas, f"backgrounds/{key.hex}/rating", 4, 2)
    assert "Allies: Rating: from 2 to 4" in words(read(cast.player, cast, silas, f"backgrounds/{key.hex}"))
    silas.refresh_from_db()
    seen = row_version(silas, "backgrounds", key.hex)
    remove_row(cast.player.member, silas, "backgrounds", key.hex, expected=seen, key=uuid4())
    said = words(read(cast.player, cast, silas, "backgrounds"))
    assert said.index("“Allies” removed") < said.index("“Allies” added")


def test_a_long_history_comes_in_pages(cast, silas, monkeypatch):
    monkeypatch.setattr(sheet, "PAGE", 2)
    for value in range(2, 6):
        put(cast.player.member, silas, "strength", value, value - 1)
    first = read(cast.player, cast, silas, "strength")
    assert "4 to 5" in words(first) and "3 to 4" in words(first) and "2 to 3" not in words(first)
    (older,) = set(re.findall(r"before=([0-9a-f-]{36})", text(first)))
    second = read(cast.player, cast, silas, "strength", before=older)
    assert "2 to 3" in words(second) and "1 to 2" in words(second) and "Earlier" not in words(second)


@pytest.mark.parametrize("field", ["us_build", "gm_notes"])
def test_the_history_of_a_secret_field_is_the_gms(cast, ana, field):
    put(
        cast.gm.member,
        ana,
        field,
        canary("gm", "sheet") if field == "gm_notes" else 4,
        "" if field == "gm_notes" else 1,
    )
    answer = read(cast.player, cast, ana, field)
    assert answer.status_code == 422
    assert same_page(answer, read(cast.player, cast, ana, "no_such_field"))
    assert "Gm ·" in words(read(cast.gm, cast, ana, field))


def test_private_notes_and_the_sheet_have_no_history_for_others(cast, silas):
    put(cast.player.member, silas, "notes", canary("mo", "notes"), "")
    put(cast.player.member, silas, "strength", 4, 1)
    put(cast.player.member, silas, "pronouns", "he/him", "")
    for person in (cast.other_player, cast.spectator):
        for field in ("notes", "strength"):
            assert read(person, cast, silas, field).status_code == 422
        assert "nothing to he/him" in words(read(person, cast, silas, "pronouns"))
    assert canary("mo", "notes") in words(read(cast.gm, cast, silas, "notes"))


def test_what_was_written_before_the_sheet_was_opened_stays_with_those_who_saw_it(cast, silas):
    put(cast.player.member, silas, "clan", canary("mo", "clan"), "")
    put(cast.player.member, silas, "clan", "Keepers", canary("mo", "clan"))
    silas.refresh_from_db()
    store(silas, opened=True)
    assert words(read(cast.other_player, cast, silas, "clan")) == "No changes yet."


@pytest.mark.run_on("sqlite", "postgresql")
@pytest.mark.parametrize("field", ["", "x" * 10_000, "strength/1/2", "backgrounds/gone", "a/b/c/d", "\x00"])
def test_what_no_sheet_has_has_no_history(cast, silas, field):
    answer = read(cast.player, cast, silas, field)
    assert answer.status_code == 422 and len(words(answer)) < 2000


def test_a_page_that_begins_nowhere_begins_at_the_end(cast, silas):
    put(cast.player.member, silas, "strength", 2, 1)
    for before in ("", "x", str(uuid4())):
        assert "1 to 2" in words(read(cast.player, cast, silas, "strength", before=before))


def test_a_hidden_npc_has_no_history_for_players(cast, hidden):
    assert read(cast.player, cast, hidden, "strength").status_code == 404
    assert same_page(read(cast.player, cast, hidden, "strength"), read(cast.player, cast, type(hidden)(), "strength"))
