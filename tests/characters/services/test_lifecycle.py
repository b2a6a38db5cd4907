"""Locked, retired and dead characters: who may still write what."""

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid
from characters.models import Character, State
from characters.services.cards import kill_character, lock_sheet, retire_character, return_character, unlock_sheet
from characters.services.sheet_writes import get_character, take_steps
from characters.sheets.steps import Put
from tests.characters.operations import inside, put, told
from tests.stored import reread


def test_a_locked_sheet_refuses_its_player_and_not_the_gm_nor_rolls(cast, silas):
    mo = cast.player.member
    lock_sheet(cast.gm.member, silas, key=uuid4())
    with pytest.raises(Forbidden, match="locked"):
        put(mo, silas, "wits", 2, 1)
    put(mo, silas, "notes", "still mine", "")
    put(cast.gm.member, silas, "wits", 2, 1)
    unlock_sheet(cast.gm.member, silas, key=uuid4())
    put(mo, silas, "wits", 3, 2)


@pytest.mark.parametrize(
    ("leaves", "state", "words", "kind"),
    [
        (kill_character, State.DEAD, "is dead", "characters.character_died"),
        (retire_character, State.RETIRED, "retired", "characters.character_retired"),
    ],
)
def test_who_left_is_out_of_play_and_kept_until_they_are_brought_back(cast, silas, leaves, state, words, kind):
    leaves(cast.player.member, silas, key=uuid4())
    assert reread(silas).state is state and not Character.objects.controlled_by(cast.player.member).exists()
    with pytest.raises(Invalid, match=words):
        put(cast.player.member, silas, "wits", 2, 1)
    with pytest.raises(Conflict):
        leaves(cast.gm.member, silas, key=uuid4())
    return_character(cast.gm.member, silas, key=uuid4())
    assert list(Character.objects.controlled_by(cast.player.member)) == [silas]
    assert [event.kind for event in told("table")][1:] == [kind, "characters.character_returned"]
    put(cast.player.member, silas, "wits", 2, 1)
    with pytest.raises(Conflict):
        return_character(cast.gm.member, silas, key=uuid4())


# What operations do


def steps(table, silas, address, to, why=""):
    take_steps(table, get_character(table, silas), [Put(address, to)], why=why)


def test_a_step_changes_a_value_and_keeps_what_it_was(cast, silas):
    inside(cast.gm.member, lambda table: steps(table, silas, "bashing", 3, "a fall"))
    event = told()[-1]
    assert event.payload["before"] == 0
    assert (event.payload["after"], event.payload["why"], event.payload["by_hand"]) == (3, "a fall", False)
    for address, to in (("bashing", 8), ("nothing", 1), ("nature", 5)):
        with pytest.raises(Invalid):
            inside(cast.gm.member, lambda table, a=address, t=to: steps(table, silas, a, t))
