"""Who is in play at somebody's table: read once for a page, and only as far as they know of it."""

from __future__ import annotations

from uuid import uuid4

from characters.models import Character, read_rows
from characters.queries.in_play import in_play, own_of
from characters.services.cards import hand_over, retire_character
from tests.cast import viewer
from tests.sheets import put


def names(characters: list[Character]) -> list[str]:
    return [character.name for character in characters]


def test_players_know_nothing_of_what_is_hidden_and_nobody_is_told_of_the_retired(cast, silas, npc, hidden, crew):
    assert names(in_play(viewer(cast.gm))) == sorted(["Silas Grey", "The Wick", "Vesper", hidden.name])
    assert names(in_play(viewer(cast.player))) == ["Silas Grey", "The Wick", "Vesper"]
    assert names(in_play(viewer(cast.spectator))) == ["Silas Grey", "The Wick", "Vesper"]
    retire_character(cast.player.member, silas, key=uuid4())
    assert names(in_play(viewer(cast.player))) == ["The Wick", "Vesper"]


def test_one_s_own_are_those_one_may_roll_for(cast, silas, npc, hidden, crew):
    everyone = (cast.gm, cast.player, cast.other_player, cast.spectator)

    def check() -> None:
        for person in everyone:
            controlled = Character.objects.controlled_by(person.member)
            assert {one.pk for one in own_of(viewer(person))} == {one.pk for one in controlled}

    check()
    hand_over(cast.gm.member, silas, cast.gm.member, also=(cast.other_player.member,), key=uuid4())
    check()
    assert names(own_of(viewer(cast.gm)))[0] == "Silas Grey"


def test_a_page_reads_them_once_and_each_sheet_once(cast, silas, npc, django_assert_num_queries):
    for character in (silas, npc):
        put(character, {"backgrounds": [{"id": "r1", "name": "Allies"}]})
    looking = viewer(cast.gm)
    with django_assert_num_queries(2):  # and the players besides the owners
        assert in_play(looking) is in_play(looking)
        assert [character.players for character in in_play(looking)] == [[cast.player.member], []]
    with django_assert_num_queries(1):
        read_rows(looking, in_play(looking)[:1])
        read_rows(looking, in_play(looking)[:1])
    with django_assert_num_queries(1):
        read_rows(looking, in_play(looking))
        assert [character.sheet["backgrounds"][0]["name"] for character in in_play(looking)] == ["Allies", "Allies"]


def test_rows_that_somebody_may_not_see_are_not_read_for_them(cast, silas):
    put(silas, {"backgrounds": [{"id": "r1", "name": "Allies"}]})
    for person, rows in ((cast.player, 1), (cast.other_player, 0), (cast.gm, 1)):
        looking = viewer(person)
        (shown,) = in_play(looking)
        read_rows(looking, [shown])
        assert len(shown.stored_rows) == rows
