"""Taking back one's own last change: as it was before, unless somebody else has written there."""

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid
from characters.services.cards import lock_sheet
from characters.services.fields import add_row, mark_resources, remove_row, row_version, set_field, undo_change
from characters.services.sheet_writes import get_character, take_steps
from characters.sheets.steps import Put
from tests.answers import refusal
from tests.characters.operations import inside, put, told
from tests.stored import reread


def undo(by, character):
    return undo_change(by, character, key=uuid4())


def test_changes_are_taken_back_one_after_the_other_and_then_there_are_none(cast, silas):
    put(cast.player.member, silas, "wits", 2, 1)
    put(cast.player.member, silas, "wits", 4, 2)
    put(cast.player.member, silas, "strength", 3, 1)
    assert undo(cast.player.member, silas).value("strength") == 1
    assert undo(cast.player.member, silas).value("wits") == 2
    assert undo(cast.player.member, silas).value("wits") == 1
    with pytest.raises(Invalid, match="no changes to undo"):
        undo(cast.player.member, silas)


def test_what_somebody_else_has_written_since_stays(cast, silas):
    put(cast.player.member, silas, "wits", 2, 1)
    put(cast.gm.member, silas, "wits", 5, 2)
    refused = refusal(Conflict, undo, cast.player.member, silas)
    assert (refused.current, refused.by) == (5, "Gm")
    put(cast.gm.member, silas, "wits", 2, 5)
    with pytest.raises(Conflict):
        undo(cast.player.member, silas)  # the same value, and yet the GM's
    assert reread(silas).value("wits") == 2


def test_each_takes_back_their_own(cast, silas):
    put(cast.player.member, silas, "wits", 2, 1)
    put(cast.gm.member, silas, "strength", 5, 1)
    undone = undo(cast.player.member, silas)
    assert (undone.value("wits"), undone.value("strength")) == (1, 5)


def test_what_a_roll_took_is_not_given_back_and_stands_in_the_way(cast, silas):
    put(cast.player.member, silas, "willpower", 6, 3)
    put(cast.player.member, silas, "willpower_now", 5, 3)
    inside(
        cast.player.member,
        lambda table: take_steps(table, get_character(table, silas), [Put("willpower_now", 4)], why="a roll"),
    )
    with pytest.raises(Conflict):
        undo(cast.player.member, silas)
    silas.refresh_from_db()
    assert silas.value("willpower_now") == 4


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda by, silas: put(by, silas, "willpower", 2, 3), id="what was lowered along with it"),
        pytest.param(
            lambda by, silas: mark_resources(by, silas, {"lethal": 2, "willpower_now": -1}, key=uuid4()),
            id="what one press marked",
        ),
    ],
)
def test_all_of_a_change_is_undone_at_once(cast, silas, change):
    change(cast.player.member, silas)
    undone = undo(cast.player.member, silas)
    assert [undone.value(name) for name in ("willpower", "willpower_now", "lethal")] == [3, 3, 0]
    with pytest.raises(Invalid, match="no changes to undo"):
        undo(cast.player.member, silas)


def test_an_added_row_goes_and_a_removed_row_comes_back_where_it_was(cast, silas):
    mo = cast.player.member
    for name in ("First", "Second"):
        silas = add_row(mo, silas, "powers", {"name": name}, key=uuid4())
    before = silas.sheet["powers"]
    seen = row_version(silas, "powers", before[0]["id"])
    remove_row(mo, silas, "powers", before[0]["id"], expected=seen, key=uuid4())
    assert undo(mo, silas).sheet["powers"] == before
    assert [row["name"] for row in undo(mo, silas).sheet["powers"]] == ["First"]


def test_a_row_that_somebody_else_has_written_in_stays(cast, silas):
    silas = add_row(cast.player.member, silas, "powers", {"name": "First"}, key=uuid4())
    put(cast.gm.member, silas, f"powers/{silas.sheet['powers'][0]['id']}/rating", 3, 0)
    assert refusal(Conflict, undo, cast.player.member, silas).by == "Gm"


def test_nothing_is_undone_on_a_locked_sheet(cast, silas):
    put(cast.player.member, silas, "wits", 2, 1)
    lock_sheet(cast.gm.member, silas, key=uuid4())
    with pytest.raises(Forbidden):
        undo(cast.player.member, silas)


def test_a_player_who_lowers_a_known_score_does_not_overwrite_the_unknown_one_under_it(cast, ana):
    set_field(cast.gm.member, ana, "us_build", 4, expected=1, key=uuid4())
    put(cast.player.member, ana, "build", 1, 5)
    ana.refresh_from_db()
    assert ana.secret == {"us_build": 4} and ana.value("us_build") == 1
    put(cast.player.member, ana, "build", 5, 1)
    assert reread(ana).value("us_build") == 4
    assert "us_" not in str([event.payload for event in told(cast.player.member.stream)])
