"""Making, changing, hiding, handing over, retiring a character and letting it speak; and in whose streams it is told."""

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.models import EventSubject
from campaigns.queries.clocks import owners_of
from characters.models import Character
from characters.services.cards import (
    Card,
    card_version,
    change_character,
    copy_character,
    make_character,
    retire_character,
    say_as,
)
from tests.answers import refusal
from tests.characters.operations import SECRET_NAME, change, put, told
from tests.stored import reread

# Making


def test_a_player_makes_a_character_and_the_table_hears_of_it(cast):
    key = uuid4()
    silas = make_character(cast.player.member, Card("Silas Grey", "Archivist", cast.player.member), key=key)
    assert silas.pk == key
    (event,) = told()
    assert (event.stream.name, event.kind) == ("table", "characters.character_made")
    assert event.payload["card"] == {
        "id": str(key),
        "name": "Silas Grey",
        "concept": "Archivist",
        "whose": {"member": cast.player.member.pk, "name": "Mo"},
        "also": [],
        "shown": True,
        "opened": False,
        "free": False,
        "crew": False,
    }
    assert EventSubject.objects.filter(event=event, key=f"character:{key}", name="Silas Grey").exists()


def test_of_characters_whose_names_look_alike_each_later_one_has_a_number(cast):
    gm, mo = cast.gm.member, cast.player.member
    dog = make_character(gm, Card("Dog"), key=uuid4())
    late = make_character(mo, Card("D\u043eg", owner=mo), key=uuid4())
    copy = copy_character(mo, late, "dog", key=uuid4())
    other = make_character(gm, Card("Cat"), key=uuid4())
    renamed = change_character(gm, other, Card("DOG"), expected=card_version(other), key=uuid4())
    assert [one.name for one in (dog, late, copy, renamed)] == ["Dog", "D\u043eg (2)", "dog (3)", "DOG (4)"]
    kept = change_character(gm, late, Card(late.name, "Old", mo), expected=card_version(late), key=uuid4())
    assert kept.name == late.name
    long = [make_character(gm, Card("W" * 80), key=uuid4()).name for _ in range(2)]
    assert long == ["W" * 80, "W" * 76 + " (2)"]


def test_a_number_does_not_betray_a_hidden_npc_until_it_is_known(cast):
    gm, mo = cast.gm.member, cast.player.member
    hidden = make_character(gm, Card("Umbra", shown=False), key=uuid4())
    assert make_character(mo, Card("Umbra", owner=mo), key=uuid4()).name == "Umbra"
    known = change_character(gm, hidden, Card("Umbra"), expected=card_version(hidden), key=uuid4())
    assert known.name == "Umbra (2)"


def test_a_hidden_npc_is_told_to_the_gms_alone(cast, hidden):
    assert [event.stream.name for event in told()] == ["gm"]
    assert list(Character.objects.seen_by(cast.player.member)) == []
    assert list(Character.objects.seen_by(cast.gm.member)) == [hidden]


def test_players_make_no_npcs_and_no_characters_of_others(cast):
    for card in (Card("X"), Card("X", shown=False), Card("X", owner=cast.other_player.member)):
        with pytest.raises(Forbidden):
            make_character(cast.player.member, card, key=uuid4())
    with pytest.raises(Forbidden):
        make_character(cast.player.member, Card("X", owner=cast.player.member, shown=False), key=uuid4())
    assert not Character.objects.exists() and not told()


def test_a_character_is_given_to_somebody_who_plays_here(cast):
    for owner in (cast.spectator.member, cast.removed.member):
        assert refusal(Invalid, make_character, cast.gm.member, Card("X", owner=owner), key=uuid4()).field == "owner"


# The card


def test_a_changed_card_is_told_with_what_stood_on_it_before(cast, silas):
    change(cast.player.member, silas, name="Silas Black")
    event = told()[-1]
    assert (event.stream.name, event.kind) == ("table", "characters.character_changed")
    assert (event.payload["before"]["name"], event.payload["card"]["name"]) == ("Silas Grey", "Silas Black")


def test_an_unchanged_card_is_no_event(cast, silas):
    events = len(told())
    change(cast.player.member, silas)
    assert len(told()) == events


def test_players_neither_hand_over_nor_hide(cast, silas):
    for to in ({"owner": None}, {"owner": cast.other_player.member}, {"shown": False}):
        with pytest.raises(Forbidden):
            change(cast.player.member, silas, **to)


def test_a_gm_hands_a_character_over_and_the_sheet_goes_with_it(cast, silas):
    change(cast.gm.member, silas, owner=cast.other_player.member)
    put(cast.other_player.member, silas, "wits", 2, 1)
    assert told()[-1].stream.name == cast.other_player.member.stream
    with pytest.raises(Forbidden):
        put(cast.player.member, silas, "wits", 3, 2)


def test_a_hidden_npc_that_is_renamed_stays_with_the_gms(cast, hidden):
    change(cast.gm.member, hidden, name="Other")
    assert [event.stream.name for event in told()] == ["gm", "gm"]


def test_showing_an_npc_tells_the_table_nothing_of_what_it_was_called_before(cast, hidden):
    change(cast.gm.member, hidden, name="Corvin", shown=True)
    (event,) = told("table")
    assert event.payload["card"]["name"] == "Corvin"
    assert event.payload["before"] is None
    assert SECRET_NAME not in str(event.payload)
    assert not EventSubject.objects.filter(event=event, name=SECRET_NAME).exists()
    twin = told("gm")[-1]
    assert twin.uid == event.uid and twin.payload["before"]["name"] == SECRET_NAME
    assert list(Character.objects.seen_by(cast.player.member)) == [hidden]


def test_hiding_an_npc_tells_the_table_nothing_of_what_it_is_called_from_now_on(cast, npc):
    change(cast.gm.member, npc, name=SECRET_NAME, shown=False)
    event = told("table")[-1]
    assert event.payload["card"] is None and event.payload["character"]["name"] == "Vesper"
    assert SECRET_NAME not in str(event.payload)
    assert not EventSubject.objects.filter(event=event, name=SECRET_NAME).exists()
    assert told("gm")[-1].payload["card"]["name"] == SECRET_NAME


def test_a_hidden_npc_given_to_a_player_is_hidden_no_more(cast, hidden):
    change(cast.gm.member, hidden, owner=cast.player.member)
    assert reread(hidden).shown and told("table")


# Coming and going


def test_a_hidden_npc_retires_in_silence(cast, hidden):
    retire_character(cast.gm.member, hidden, key=uuid4())
    assert not told("table")


# Speaking


def test_a_character_speaks_in_its_own_name(cast, silas):
    say_as(cast.player.member, silas, "Who goes there?", key=uuid4())
    event = told("table")[-1]
    assert event.kind == "campaigns.said"
    assert event.payload["voice"] == {"id": str(silas.pk), "name": "Silas Grey"}
    assert event.payload["manner"] == "character"


def test_nobody_speaks_for_the_characters_of_others(cast, silas, npc, hidden):
    for character, error in ((silas, Forbidden), (npc, Forbidden), (hidden, NotFound)):
        with pytest.raises(error):
            say_as(cast.other_player.member, character, "Hello", key=uuid4())


def test_a_hidden_npc_is_not_betrayed_by_its_voice(cast, hidden):
    assert refusal(Invalid, say_as, cast.gm.member, hidden, "Hello", key=uuid4()).field == "voice"
    assert not told("table")


def test_the_retired_are_silent(cast, silas):
    retire_character(cast.player.member, silas, key=uuid4())
    with pytest.raises(Invalid):
        say_as(cast.player.member, silas, "Boo", key=uuid4())


def test_clocks_learn_of_characters(cast, silas, hidden):
    owners = owners_of(cast.campaign)
    assert owners[f"character:{silas.pk}"].player == cast.player.member
    assert owners[f"character:{hidden.pk}"].shown is False
