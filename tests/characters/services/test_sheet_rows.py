"""Rows are stored one by one: only those that changed, and none that somebody else has written meanwhile."""

from uuid import uuid4

import pytest

from campaigns.errors import Conflict
from characters.models import Character, SheetRow
from characters.services.fields import add_row, set_field
from characters.services.sheet_writes import save_rows
from tests.sheets import put

TWO = [{"id": "r1", "name": "Allies", "rating": 1}, {"id": "r2", "name": "Mentor", "rating": 1}]


def rated(character, uid, rating):
    """Return the character with another rating in one of its rows, not saved yet."""
    character.hold(character.rules.put(character.values, f"backgrounds/{uid}/rating", rating))
    return character


def versions():
    return dict(SheetRow.objects.values_list("uid", "version"))


@pytest.fixture
def allies(silas):
    return put(silas, {"backgrounds": TWO})


def test_only_the_row_that_changed_is_written(cast, allies):
    set_field(cast.player.member, allies, "backgrounds/r1/rating", 3, expected=1, key=uuid4())
    assert versions() == {"r1": 2, "r2": 1}
    assert Character.objects.get(pk=allies.pk).value("backgrounds/r1/rating") == 3


def test_a_row_that_is_another_by_now_is_not_overwritten(allies):
    mine, theirs = (rated(Character.objects.get(pk=allies.pk), "r1", rating) for rating in (4, 5))
    save_rows(theirs)
    with pytest.raises(Conflict):
        save_rows(mine)
    assert Character.objects.get(pk=allies.pk).value("backgrounds/r1/rating") == 5


def test_a_row_that_is_another_by_now_is_not_taken_off(allies):
    mine, theirs = (Character.objects.get(pk=allies.pk) for _ in range(2))
    mine.hold(mine.rules.remove_row(mine.values, "backgrounds", "r1"))
    save_rows(rated(theirs, "r1", 5))
    with pytest.raises(Conflict):
        save_rows(mine)
    assert SheetRow.objects.filter(uid="r1").exists()


def test_two_rows_are_written_by_two_who_read_them_at_once(allies):
    mine, theirs = Character.objects.get(pk=allies.pk), Character.objects.get(pk=allies.pk)
    save_rows(rated(mine, "r1", 4))
    save_rows(rated(theirs, "r2", 5))
    assert {row["id"]: row["rating"] for row in Character.objects.get(pk=allies.pk).sheet["backgrounds"]} == {
        "r1": 4,
        "r2": 5,
    }


def test_what_was_saved_can_be_changed_and_saved_again(allies):
    for rating in (2, 3):
        save_rows(rated(allies, "r1", rating))
    assert versions() == {"r1": 3, "r2": 1}


def test_a_row_is_added_without_touching_the_others(cast, allies):
    add_row(cast.player.member, allies, "backgrounds", {"name": "Fame", "rating": 1}, key=uuid4())
    assert sorted(versions().values()) == [1, 1, 1]
