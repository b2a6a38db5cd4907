"""Portraits: who sets and removes them, who is told, and what is kept."""

from uuid import uuid4

import pytest

from campaigns.errors import Invalid
from characters.models import Character, Portrait
from characters.services.cards import (
    Card,
    copy_character,
    hand_over,
    make_character,
    retire_character,
    set_portrait,
)
from tests.answers import refusal
from tests.characters.operations import change, portrait_of, told


def put(by, character, colour="tomato", key=None):
    return set_portrait(by, character, portrait_of(colour), key=key or uuid4())


def wear(by, character, face):
    return set_portrait(by, character, face, key=uuid4())


def test_a_portrait_is_kept_and_the_table_hears_its_address(cast, silas):
    silas = put(cast.player.member, silas)
    assert bytes(Portrait.objects.get(character=silas).image) == portrait_of().image
    event = told()[-1]
    assert (event.kind, event.stream.name) == ("characters.portrait_changed", "table")
    assert event.payload["portrait"]["url"] == f"/c/ashes/characters/{silas.pk}/portrait/{silas.picture}/"
    assert len(silas.picture) == 32


def test_another_picture_has_another_address_and_the_same_is_no_news(cast, silas):
    first = put(cast.player.member, silas).picture
    events = len(told())
    assert put(cast.player.member, silas).picture == first and len(told()) == events
    assert put(cast.player.member, silas, "navy").picture != first
    assert Portrait.objects.count() == 1


def test_a_removed_portrait_is_forgotten(cast, silas):
    put(cast.player.member, silas)
    silas = wear(cast.player.member, silas, "")
    assert silas.picture == "" and not Portrait.objects.exists()
    assert told()[-1].payload["portrait"] == {
        "character": str(silas.pk),
        "initial": "S",
        "colour": cast.player.user.colour,
        "url": "",
        "face": "",
    }
    events = len(told())
    assert wear(cast.player.member, silas, "").picture == "" and len(told()) == events


def test_a_face_takes_the_place_of_a_picture_and_a_picture_that_of_a_face(cast, silas):
    put(cast.player.member, silas)
    silas = wear(cast.player.member, silas, "smuggler")
    assert silas.picture == "smuggler" and not Portrait.objects.exists()
    drawn = told("table")[-1].payload["portrait"]
    assert (drawn["face"], drawn["url"]) == ("smuggler", "")
    put(cast.player.member, silas)
    drawn = told("table")[-1].payload["portrait"]
    assert drawn["face"] == "" and drawn["url"] and Portrait.objects.count() == 1


@pytest.mark.parametrize("name", ["nobody", "../base", "0" * 32, "Smuggler"])
def test_a_face_that_is_not_there_is_refused_and_changes_nothing(cast, silas, name):
    wear(cast.player.member, silas, "smuggler")
    before = len(told())
    assert refusal(Invalid, wear, cast.player.member, silas, name).field == "portrait" and len(told()) == before
    with pytest.raises(Invalid):
        make_character(cast.player.member, Card("Ada", "", cast.player.member, portrait=name), key=uuid4())
    assert len(told()) == before and list(Character.objects.values_list("picture", flat=True)) == ["smuggler"]


def test_a_face_that_is_gone_leaves_the_initial(cast, silas):
    Character.objects.filter(pk=silas.pk).update(picture="of-another-release")
    silas.refresh_from_db()
    assert (silas.portrait()["face"], silas.portrait()["url"]) == ("", "")


def test_a_new_character_has_its_face_from_the_beginning_and_one_event(cast):
    ada = make_character(cast.player.member, Card("Ada", "", cast.player.member, portrait="pilot"), key=uuid4())
    drawn = make_character(cast.player.member, Card("Bo", "", cast.player.member, portrait=portrait_of()), key=uuid4())
    assert ada.picture == "pilot" and Portrait.objects.get().character_id == drawn.pk
    assert [event.kind for event in told()] == ["characters.character_made"] * 2
    assert [event.payload["portrait"]["face"] for event in told()] == ["pilot", ""]
    assert copy_character(cast.player.member, ada, "Twin", key=uuid4()).picture == "pilot"


def test_the_gm_the_owner_and_who_plays_it_beside_them_choose_it(cast, silas):
    hand_over(cast.gm.member, silas, cast.player.member, also=(cast.other_player.member,), key=uuid4())
    for person, colour in ((cast.gm, "red"), (cast.player, "lime"), (cast.other_player, "blue")):
        put(person.member, silas, colour)


def test_the_portrait_of_a_hidden_npc_is_told_to_gms_alone_until_it_is_shown(cast, hidden):
    put(cast.gm.member, hidden)
    assert {event.stream.name for event in told()} == {"gm"}
    change(cast.gm.member, hidden, shown=True)
    assert told("table")[-1].payload["portrait"]["url"]
    change(cast.gm.member, hidden, shown=False)
    assert told("table")[-1].payload["portrait"] is None


def test_a_copy_looks_like_the_one_it_was_made_of_and_keeps_its_face(cast, silas):
    put(cast.player.member, silas)
    copy = copy_character(cast.player.member, silas, "Twin", key=uuid4())
    put(cast.player.member, silas, "navy")
    assert bytes(Portrait.objects.get(character=copy).image) == portrait_of().image


def test_who_is_out_of_play_may_still_get_a_face(cast, silas):
    retire_character(cast.player.member, silas, key=uuid4())
    assert put(cast.player.member, silas).picture


def test_a_crews_portrait_is_every_players(cast, crew):
    assert put(cast.other_player.member, crew).picture
