"""Who sees and writes what of a character: its card, its sheet, its player's notes, the GM's secrets."""

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, Invalid
from campaigns.models import Event
from characters.models import Character
from characters.services.cards import Card, copy_character, hand_over, make_character, mark_complete
from characters.sheets.fields import Visibility
from tests.answers import refusal, same_page
from tests.characters.operations import change, put, told
from tests.stored import reread

SECRET_WORDS = "Sold-Her-Brother"


def test_each_value_lies_in_the_column_of_those_who_may_see_it(cast, ana):
    mo = cast.player.member
    put(mo, ana, "pronouns", "she/her", "")
    put(mo, ana, "build", 7, 5)
    put(mo, ana, "notes", "Find the map", "")
    put(cast.gm.member, ana, "us_build", 6, 1)
    put(cast.gm.member, ana, "gm_notes", SECRET_WORDS, "")
    ana.refresh_from_db()
    assert ana.public == {"pronouns": "she/her"}
    assert set(ana.sheet) == {"skills", "build"}
    assert ana.private_fields == {str(mo.pk): {"notes": "Find the map"}}
    assert ana.secret == {"us_build": 6, "gm_notes": SECRET_WORDS}
    streams = {event.payload["cell"]["field"]: event.stream.name for event in told() if "cell" in event.payload}
    assert streams == {
        "pronouns": "table",
        "build": mo.stream,
        "notes": mo.stream,
        "us_build": "gm",
        "gm_notes": "gm",
    }


@pytest.mark.parametrize("address", ["us_build", "gm_notes"])
def test_what_is_secret_is_not_there_for_players(cast, ana, address):
    secret, nothing = (
        refusal(Invalid, put, cast.player.member, ana, name, "1", "1").message.replace(name, "…")
        for name in (address, "no_such_thing")
    )
    assert secret == nothing


def test_an_open_sheet_is_told_to_all_and_its_notes_are_not(cast, silas):
    change(cast.player.member, silas, opened=True)
    put(cast.player.member, silas, "wits", 3, 1)
    assert told()[-1].stream.name == "table"
    put(cast.player.member, silas, "notes", "mine", "")
    assert told()[-1].stream.name == cast.player.member.stream
    silas.refresh_from_db()
    assert silas.visibilities(cast.spectator.member) == {Visibility.PUBLIC, Visibility.SHEET}
    assert not silas.written_by(cast.other_player.member)


def test_all_who_play_a_character_hear_the_same_event_once_each(cast, silas):
    hand_over(cast.gm.member, silas, cast.player.member, also=(cast.other_player.member,), key=uuid4())
    put(cast.other_player.member, silas, "wits", 3, 1)
    mine, theirs = told(cast.player.member.stream)[-1], told(cast.other_player.member.stream)[-1]
    assert mine.uid == theirs.uid and mine.payload == theirs.payload
    assert list(Character.objects.controlled_by(cast.other_player.member)) == [silas]
    with pytest.raises(Forbidden):
        change(cast.other_player.member, silas, owner=cast.other_player.member, also=())


def test_a_handed_over_character_keeps_its_sheet_and_each_player_their_notes(cast, silas):
    put(cast.player.member, silas, "notes", "between us", "")
    put(cast.player.member, silas, "wits", 3, 1)
    silas = hand_over(cast.gm.member, silas, cast.other_player.member, key=uuid4())
    assert silas.value("notes") == "" and silas.value("wits") == 3
    silas = hand_over(cast.gm.member, silas, cast.player.member, key=uuid4())
    assert silas.value("notes") == "between us"


def test_a_character_is_handed_over_to_those_who_play(cast, silas):
    for to, also in (
        (cast.spectator.member, ()),
        (cast.player.member, (cast.removed.member,)),
        (None, (cast.player.member,)),
    ):
        with pytest.raises(Invalid):
            hand_over(cast.gm.member, silas, to, also=also, key=uuid4())


def test_a_crew_is_read_by_all_and_written_by_every_player(cast, crew):
    put(cast.other_player.member, crew, "heat", 3, 0)
    assert told()[-1].stream.name == "table"
    assert crew.opens_for(cast.spectator.member) and not crew.is_npc
    assert not Character.objects.controlled_by(cast.gm.member).filter(pk=crew.pk).exists()
    with pytest.raises(Invalid):
        hand_over(cast.gm.member, crew, cast.player.member, key=uuid4())


def test_a_character_is_of_a_system_that_is_played_here(cast, silas, ana, crew):
    assert (silas.system, ana.system, crew.system, crew.rules.name) == ("storyteller", "arc", "forged", "crew")
    card = Card("X", owner=cast.player.member)
    for wrong in ({"system": "chess"}, {"system": "arc", "is_crew": True}):
        with pytest.raises(Invalid):
            make_character(cast.gm.member, Card("X"), key=uuid4(), **wrong)
    with pytest.raises(Invalid):
        make_character(cast.player.member, card, system="x" * 10_000, key=uuid4())
    with pytest.raises(Forbidden):
        make_character(cast.player.member, Card("X"), is_crew=True, key=uuid4())


def test_a_player_copies_their_own_with_all_that_is_on_it(cast, ana):
    put(cast.gm.member, ana, "us_build", 4, 1)
    put(cast.player.member, ana, "notes", "mine", "")
    copy = copy_character(cast.player.member, ana, "Ana’s twin", key=uuid4())
    ana.refresh_from_db()
    assert (copy.name, copy.owner, copy.sheet, copy.secret) == ("Ana’s twin", ana.owner, ana.sheet, ana.secret)
    assert copy.value("notes") == "mine"
    put(cast.player.member, copy, "build", 9, 5)
    assert reread(ana).value("build") == 5


def test_a_gm_copies_a_players_as_an_npc_that_nobody_knows_and_without_private_notes(cast, silas):
    put(cast.player.member, silas, "notes", "mine", "")
    copy = copy_character(cast.gm.member, silas, "A double", key=uuid4())
    assert copy.is_hidden and told()[-1].stream.name == "gm"
    assert copy.value("notes") == ""


def test_what_gms_alone_do_changes_no_byte_for_players(cast, ana):
    """G7 for unknown scores: the same page, whatever they are, and nothing in any stream that a player sees."""
    players = [person for person in cast.everybody.values() if person not in (cast.gm, cast.outsider, cast.removed)]

    def pages():
        return [person.client.get(f"{cast.campaign.url}characters/{ana.pk}/") for person in players]

    before, told_before = pages(), Event.objects.exclude(stream__name="gm").count()
    put(cast.gm.member, ana, "us_build", 5, 1)
    put(cast.gm.member, ana, "us_empathy", 3, 1)
    assert all(same_page(was, now) for was, now in zip(before, pages(), strict=True))
    assert Event.objects.exclude(stream__name="gm").count() == told_before
    assert b"us_build" in cast.gm.client.get(f"{cast.campaign.url}characters/{ana.pk}/").content


def test_a_sheet_is_marked_complete_for_those_who_read_it(cast, silas):
    mark_complete(cast.player.member, silas, True, key=uuid4())
    event = told()[-1]
    assert (event.kind, event.stream.name) == ("characters.sheet_marked", cast.player.member.stream)
    assert event.payload["complete"] is True
    mark_complete(cast.player.member, silas, True, key=uuid4())
    assert told()[-1].pk == event.pk
