"""Rows of a sheet over HTTP: added with all their columns, removed as they were seen; and what refuses them."""

from uuid import UUID, uuid4

import pytest

from characters.services.fields import add_row, set_field
from tests.answers import queries
from tests.characters.operations import at, page, send, text, told
from tests.sheets import put
from tests.stored import reread


def add(person, cast, character, rows="backgrounds", **columns):
    given = {f"column-{name}": value for name, value in columns.items()}
    return send(person, "row_add", cast, character.pk, rows=rows, **given)


def remove(person, cast, character, row, rows="backgrounds", **seen):
    said = {f"column-{name}": value for name, value in ({"name": "Allies", "rating": "2", "words": ""} | seen).items()}
    return send(person, "row_remove", cast, character.pk, rows=rows, row=row, **said)


@pytest.fixture
def allies(cast, silas):
    """Return the id of an existing row."""
    key = UUID(int=7)
    add_row(cast.player.member, silas, "backgrounds", {"name": "Allies", "rating": 2}, key=key)
    return key.hex


def test_a_row_is_added_with_what_its_columns_say(cast, silas):
    answer = add(cast.player, cast, silas, name="Allies", rating="2", words="Ferrymen")
    assert (answer.status_code, answer.content) == (204, b"")
    (row,) = reread(silas).sheet["backgrounds"]
    assert (row["name"], row["rating"], row["words"]) == ("Allies", 2, "Ferrymen")


def test_a_row_that_has_become_another_stays_and_it_is_said_whose_doing_that_was(cast, silas, allies):
    set_field(cast.gm.member, silas, f"backgrounds/{allies}/rating", 4, expected=2, key=uuid4())
    answer = remove(cast.player, cast, silas, allies)
    assert answer.status_code == 409 and "Gm changed this row first" in text(answer)
    assert remove(cast.player, cast, silas, allies, rating="4").status_code == 204
    assert "backgrounds" not in reread(silas).sheet
    gone = remove(cast.player, cast, silas, allies, rating="4")
    assert gone.status_code == 409 and "Mo removed it from the sheet" in text(gone)


@pytest.mark.parametrize(
    ("rows", "columns", "words"),
    [
        ("backgrounds", {"rating": "2"}, "Name can’t be empty."),
        ("backgrounds", {"name": "X", "rating": "11"}, "to 10, not 11"),
        ("backgrounds", {"name": "x" * 100_000}, "the limit is"),
        ("nothing", {"name": "X"}, "no field called"),
        ("links", {"to": "<b>", "words": "X"}, "choose a character"),
    ],
)
def test_bad_rows_get_a_clear_message_and_change_nothing(cast, silas, rows, columns, words):
    events = len(told())
    answer = add(cast.player, cast, silas, rows, **columns)
    assert answer.status_code == 422
    assert words in text(answer) and len(answer.content) < 1000
    assert len(told()) == events


def test_a_sheet_takes_at_most_twelve_queries_however_many_rows_and_links_are_on_it(cast, silas, npc):
    url = at("character", cast, silas.pk)
    page(cast.player, "character", cast, silas.pk)
    rows = [{"id": f"{number:032x}", "name": f"Ally {number}", "rating": 3} for number in range(100)]
    links = [{"id": f"{number:032x}", "to": str(npc.pk), "words": "knows"} for number in range(40)]
    put(silas, {"backgrounds": rows, "links": links})
    assert queries(cast.player.client, url) <= 12
    said = text(page(cast.player, "character", cast, silas.pk))
    assert "Ally 0" in said and "Ally 99" in said and said.count(">Vesper</a>") == 40
