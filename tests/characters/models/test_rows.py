"""The rows of sheets in their table: put together with the fields, read with many characters, and left out for those who may not
see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction

from campaigns.models import Role, Viewer
from characters.models import Character, SheetRow, read_rows
from characters.models.values import SheetRowQuerySet
from characters.services.cards import (
    Card,
    card_of,
    card_version,
    change_character,
    copy_character,
    hand_over,
    make_character,
)
from characters.services.fields import add_row
from characters.services.sheet_writes import save_rows
from characters.sheets import sheet_of
from characters.sheets.fields import Rows, Text, Visibility
from characters.sheets.sheet import Group, Sheet
from tests.sheets import put


@pytest.fixture
def notebook(monkeypatch):
    """Rules with a list for everyone to see, and one for each kind of secret."""
    lists = [
        Rows(f"{sight.value}_list", sight.value, sight.value, (Text("name", "Name"),), visibility=sight)
        for sight in Visibility
    ]
    sheet = Sheet("storyteller", [Group("lists", "Lists", tuple(lists))])
    monkeypatch.setitem(sheet_of.__globals__["SHEETS"], "storyteller", sheet)
    return [rows.name for rows in lists]


def filled(character: Character, names: list[str]) -> Character:
    return put(character, {name: [{"id": "r1", "name": f"{name} of {character.name}"}] for name in names})


def everybody(cast) -> Iterator[tuple[str, Viewer]]:
    for name in ("gm", "player", "other_player", "spectator"):
        member = getattr(cast, name).member
        yield name, Viewer(member.campaign, member, Role(member.role))


def seen(viewer: Viewer) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for row in SheetRow.objects.seen_by(viewer).select_related("character"):
        found.setdefault(row.character.name, set()).add(row.visibility)
    return found


def test_a_row_lies_in_the_table_and_nowhere_else(cast, silas):
    silas = add_row(cast.player.member, silas, "backgrounds", {"name": "Allies", "rating": 2}, key=uuid4())
    row = SheetRow.objects.get()
    assert (row.character, row.group, row.visibility, row.version) == (silas, "backgrounds", "sheet", 1)
    assert row.values == {"name": "Allies", "rating": 2, "words": ""}
    stored = Character.objects.get(pk=silas.pk)
    assert not any("backgrounds" in column for column in (stored.public_fields, stored.sheet_fields))
    assert stored.sheet["backgrounds"] == [{"id": row.uid, "at": 0, **row.values}]


def test_rows_keep_their_order_whatever_goes_and_comes(silas):
    put(silas, {"backgrounds": [{"id": f"r{at}", "name": str(at), "at": at} for at in range(4)]})
    held = [row for row in silas.sheet["backgrounds"] if row["id"] != "r1"]
    put(silas, {"backgrounds": held})
    put(silas, {"backgrounds": sorted([*held, {"id": "r1", "name": "1", "at": 1}], key=lambda row: row["at"])})
    assert [row["id"] for row in Character.objects.get(pk=silas.pk).sheet["backgrounds"]] == ["r0", "r1", "r2", "r3"]


def test_no_two_rows_of_a_list_have_one_id(silas):
    row = {"character": silas, "group": "backgrounds", "uid": "r1", "position": 0, "visibility": "sheet"}
    SheetRow.objects.create(**row)
    with pytest.raises(IntegrityError), transaction.atomic():
        SheetRow.objects.create(**row)


def test_the_rows_of_many_are_read_at_once(cast, silas, npc, django_assert_num_queries):
    for character in (silas, npc):
        put(character, {"backgrounds": [{"id": "r1", "name": "Allies"}]})
    with django_assert_num_queries(2):
        names = [one.sheet["backgrounds"][0]["name"] for one in Character.objects.with_rows().order_by("name")]
    assert names == ["Allies", "Allies"]


def test_single_values_are_read_without_the_rows(silas, django_assert_num_queries):
    found = Character.objects.get(pk=silas.pk)
    with django_assert_num_queries(0):
        assert found.number("willpower") == 3 and found.cell("willpower")["of"]


def test_reading_anew_reads_the_rows_anew(silas):
    found = Character.objects.get(pk=silas.pk)
    assert found.sheet.get("backgrounds") is None
    put(silas, {"backgrounds": [{"id": "r1", "name": "Allies"}]})
    found.refresh_from_db()
    assert found.sheet["backgrounds"]


def test_rows_are_read_for_those_alone_who_may_see_them(cast, silas, npc, hidden, notebook):
    for character in (silas, npc):
        filled(character, notebook)
    viewers = dict(everybody(cast))
    assert seen(viewers["gm"]) == {who: {sight.value for sight in Visibility} for who in ("Silas Grey", "Vesper")}
    assert seen(viewers["player"]) == {"Silas Grey": {"public", "sheet", "private"}, "Vesper": {"public"}}
    assert seen(viewers["other_player"]) == {"Silas Grey": {"public"}, "Vesper": {"public"}}
    card = replace(card_of(silas), opened=True)
    change_character(cast.gm.member, silas, card, expected=card_version(silas), key=uuid4())
    assert seen(viewers["other_player"])["Silas Grey"] == {"public", "sheet"}


def test_who_plays_beside_the_owner_reads_what_the_owner_reads(cast, silas, notebook):
    filled(silas, notebook)
    hand_over(cast.gm.member, silas, cast.player.member, also=(cast.other_player.member,), key=uuid4())
    assert seen(dict(everybody(cast))["other_player"]) == {"Silas Grey": {"public", "sheet", "private"}}


def test_what_may_be_read_is_what_the_sheet_shows(cast, silas, npc, notebook):
    """The query and `Character.visibilities` agree for everyone."""
    for character in (silas, npc):
        filled(character, notebook)
    for _, viewer in everybody(cast):
        characters = list(Character.objects.seen_by(viewer))
        read_rows(viewer, characters)
        for character in characters:
            allowed = {sight.value for sight in character.visibilities(viewer)}
            assert {row.visibility for row in character.stored_rows} == allowed


def test_private_rows_stay_with_whose_they_are(cast, silas, notebook):
    filled(silas, notebook)
    given = hand_over(cast.gm.member, silas, cast.other_player.member, key=uuid4())
    assert "private_list" not in given.values
    put(given, {"private_list": [{"id": "r2", "name": "Theirs"}]})
    back = hand_over(cast.gm.member, given, cast.player.member, key=uuid4())
    assert [row["name"] for row in back.values["private_list"]] == ["private_list of Silas Grey"]
    assert SheetRow.objects.filter(group="private_list").count() == 2


def test_a_copy_has_rows_of_its_own_and_private_ones_for_their_own_player(cast, silas, notebook):
    filled(silas, notebook)
    copy = copy_character(cast.player.member, silas, "Twin", key=uuid4())
    assert copy.values == Character.objects.get(pk=silas.pk).values
    gms = copy_character(cast.gm.member, silas, "Npc", key=uuid4())
    assert set(Character.objects.get(pk=gms.pk).values) == set(notebook) - {"private_list"}
    put(copy, {"sheet_list": []})
    assert Character.objects.get(pk=silas.pk).sheet["sheet_list"]


def test_a_table_of_rows_can_be_narrowed_by_what_stands_in_them(cast, silas, npc):
    for character, name in ((silas, "Allies"), (npc, "Mentor")):
        put(character, {"backgrounds": [{"id": "r1", "name": name}]})
    found: SheetRowQuerySet = SheetRow.objects.filter(group="backgrounds", values__name="Mentor")
    assert [row.character for row in found] == [npc]


def test_saving_what_nobody_changed_writes_nothing(silas, django_assert_num_queries):
    put(silas, {"backgrounds": [{"id": "r1", "name": "Allies"}]})
    with django_assert_num_queries(0):
        save_rows(silas)


def test_rules_that_are_not_installed_keep_their_rows(cast, silas):
    put(silas, {"backgrounds": [{"id": "r1", "name": "Allies"}]})
    Character.objects.filter(pk=silas.pk).update(system="gone")
    kept = Character.objects.get(pk=silas.pk)
    assert not kept.rules.lists and kept.sheet["backgrounds"]


def test_a_new_character_asks_for_no_rows(cast, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert Character(name="New", system="storyteller", campaign=cast.campaign).values == {}


def test_an_empty_card_makes_no_rows(cast):
    make_character(cast.player.member, Card("Plain", owner=cast.player.member), key=uuid4())
    assert not SheetRow.objects.exists()
