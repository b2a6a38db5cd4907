"""Deleting a character: who may, what goes and what stays."""

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.models import Event
from campaigns.queries.clocks import owners_of
from characters.models import Character, Portrait
from characters.services.cards import (
    delete_character,
    hand_over,
    kill_character,
    retire_character,
    return_character,
    set_portrait,
)
from characters.services.fields import add_row
from tests.answers import refusal
from tests.characters.operations import SECRET_NAME, portrait_of, put, told


def delete(by, character, name=None):
    return delete_character(by, character, character.name if name is None else name, key=uuid4())


def test_it_leaves_every_list_and_the_log_keeps_what_it_did(cast, silas):
    set_portrait(cast.player.member, silas, portrait_of(), key=uuid4())
    before = Event.objects.count()
    silas = delete(cast.player.member, silas, "SILAS grey")
    assert told("table")[-1].kind == "characters.character_deleted" and Event.objects.count() == before + 1
    assert not Character.objects.active().exists() and not Character.objects.seen_by(cast.gm.member).exists()
    assert not Character.objects.controlled_by(cast.player.member).exists()
    assert not Portrait.objects.exists()
    assert Character.objects.get().name == "Silas Grey"
    assert not owners_of(cast.campaign)[silas.subject.key].active


def test_nobody_does_anything_with_it_any_more(cast, silas, npc):
    delete(cast.gm.member, silas)
    operations = [
        lambda: put(cast.player.member, silas, "wits", 2, 1),
        lambda: retire_character(cast.gm.member, silas, key=uuid4()),
        lambda: return_character(cast.gm.member, silas, key=uuid4()),
        lambda: kill_character(cast.gm.member, silas, key=uuid4()),
        lambda: hand_over(cast.gm.member, silas, cast.other_player.member, key=uuid4()),
        lambda: delete(cast.gm.member, silas),
    ]
    for operation in operations:
        with pytest.raises(NotFound):
            operation()


def test_another_name_deletes_nobody(cast, silas):
    for name in ("Silas", "", "Silas Grey!"):
        assert refusal(Invalid, delete, cast.player.member, silas, name).field == "name"
    assert told()[-1].kind == "characters.character_made"


def test_the_owner_and_the_gm_delete_and_nobody_else(cast, silas, npc, hidden, crew):
    hand_over(cast.gm.member, silas, cast.player.member, also=(cast.other_player.member,), key=uuid4())
    refused = [
        (cast.other_player, silas, Forbidden),  # plays it too, and it is not theirs
        (cast.player, crew, Forbidden),
    ]
    for person, character, error in refused:
        with pytest.raises(error):
            delete(person.member, character)
    assert delete(cast.player.member, silas).deleted_at
    assert all(delete(cast.gm.member, one).deleted_at for one in (npc, hidden, crew))


def test_a_hidden_npc_goes_in_silence(cast, hidden):
    delete(cast.gm.member, hidden)
    assert not told("table") and SECRET_NAME in str(told("gm")[-1].payload)


def test_nobody_is_linked_to_one_who_was_deleted(cast, silas, npc):
    delete(cast.gm.member, npc)
    with pytest.raises(Invalid):
        add_row(cast.player.member, silas, "links", {"to": str(npc.pk), "words": "owes"}, key=uuid4())
