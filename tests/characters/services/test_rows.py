"""Rows of sheets: added, written in, removed, by several at once; and what refuses them."""

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Invalid
from campaigns.models import Event
from characters.services.fields import add_row, remove_row, row_version
from tests.answers import refusal
from tests.characters.operations import put, told
from tests.stored import reread


def ally(by, character, key=None, **given):
    return add_row(by, character, "backgrounds", {"name": "Allies", "rating": 2} | given, key=key or uuid4())


def test_a_row_is_added_under_the_id_of_its_key_and_told_with_all_its_marks(cast, silas):
    key = uuid4()
    silas = ally(cast.player.member, silas, key)
    event = told()[-1]
    assert (event.kind, event.stream.name) == ("characters.row_added", cast.player.member.stream)
    assert event.payload["row"]["id"] == key.hex
    name, rating, _ = event.described["row"]["cells"]
    assert (name["value"], rating["value"]) == ("Allies", 2)
    assert rating["field"] == f"backgrounds/{key.hex}/rating" and rating["label"] == "Allies: Rating"
    assert silas.value(rating["field"]) == 2


def test_rows_that_two_add_at_once_are_both_there(cast, silas):
    ally(cast.player.member, silas, name="Mine")
    ally(cast.gm.member, silas, name="Theirs")  # based on the same page
    assert [row["name"] for row in reread(silas).sheet["backgrounds"]] == ["Mine", "Theirs"]


def test_two_cells_of_one_row_do_not_disturb_each_other_and_one_cell_does(cast, silas):
    row = ally(cast.player.member, silas).sheet["backgrounds"][0]["id"]
    put(cast.gm.member, silas, f"backgrounds/{row}/rating", 4, 2)
    put(cast.player.member, silas, f"backgrounds/{row}/name", "Old allies", "Allies")
    refused = refusal(Conflict, put, cast.player.member, silas, f"backgrounds/{row}/rating", 3, 2)
    assert (refused.current, refused.by) == (4, "Gm")
    held = reread(silas).sheet["backgrounds"][0]
    assert (held["name"], held["rating"]) == ("Old allies", 4)


def test_writing_in_a_row_that_is_gone_says_who_took_it(cast, silas):
    silas = ally(cast.player.member, silas)
    row = silas.sheet["backgrounds"][0]["id"]
    seen = row_version(silas, "backgrounds", row)
    remove_row(cast.gm.member, silas, "backgrounds", row, expected=seen, key=uuid4())
    assert told()[-1].payload["row"]["values"]["rating"] == 2, "the log keeps what was in it"
    for operation in (
        lambda: put(cast.player.member, silas, f"backgrounds/{row}/rating", 3, 2),
        lambda: remove_row(cast.player.member, silas, "backgrounds", row, expected=seen, key=uuid4()),
    ):
        refused = refusal(Conflict, operation)
        assert refused.by == "Gm" and "Gm removed it" in refused.message


def test_links_go_to_those_whom_players_know(cast, silas, npc, hidden):
    link = {"to": str(npc.pk), "words": "owes her"}
    silas = add_row(cast.player.member, silas, "links", link, key=uuid4())
    assert silas.sheet["links"][0]["to"] == str(npc.pk)
    for nobody in (hidden.pk, silas.pk, uuid4()):
        for by in (cast.player, cast.gm):
            with pytest.raises(Invalid):
                add_row(by.member, silas, "links", link | {"to": str(nobody)}, key=uuid4())
    assert add_row(cast.gm.member, npc, "links", link | {"to": str(hidden.pk)}, key=uuid4())


def test_the_history_of_a_field_of_a_row_and_of_a_list_is_found_by_its_address(cast, silas):
    silas = ally(cast.player.member, silas)
    row = silas.sheet["backgrounds"][0]["id"]
    put(cast.gm.member, silas, f"backgrounds/{row}/rating", 4, 2)
    put(cast.player.member, silas, f"backgrounds/{row}/rating", 1, 4)
    put(cast.player.member, silas, "wits", 2, 1)

    def history(address):
        events = Event.objects.about(silas.field_subject(address).key).order_by("id").select_related("stored")
        return [(one.actor_name, one.payload.get("before"), one.payload.get("after")) for one in events]

    assert history(f"backgrounds/{row}/rating") == [("Gm", 2, 4), ("Mo", 4, 1)]
    assert history("wits") == [("Mo", 1, 2)]
    assert len(history(f"backgrounds/{row}")) == 3 and len(history("backgrounds")) == 1
