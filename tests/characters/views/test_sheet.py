"""A character's page and its fields, for the whole cast."""

import re
from uuid import uuid4

import pytest

from characters.services.fields import add_row, set_field
from characters.sheets.fields import Visibility
from rulesets.storyteller.sheet import SHEET
from tests.characters.operations import SECRET_NAME, drawn, page, send, text, told
from tests.doors import look
from tests.stored import reread

OF_THE_CARD = ["pronouns"]
OF_PLAYERS = [name for name, field in SHEET.fields.items() if field.visibility is not Visibility.SECRET]


def put(person, cast, character, field, value, seen, **more):
    return send(person, "character_field", cast, character.pk, field=field, value=value, expected=seen, **more)


# The page of one


def test_the_owner_and_the_gm_read_the_sheet_and_others_the_card(cast, silas):
    for person, fields in ((cast.player, OF_PLAYERS), (cast.gm, SHEET.fields)):
        answer = page(person, "character", cast, silas.pk)
        assert drawn(answer, silas) == sorted(fields)
        assert "Set Willpower to 10" in text(answer)
    for person in (cast.other_player, cast.spectator):
        answer = page(person, "character", cast, silas.pk)
        assert answer.status_code == 200
        assert "Silas Grey" in text(answer) and "Archivist · played by Mo" in text(answer)
        assert "Willpower" not in text(answer) and "Strength" not in text(answer)
        assert drawn(answer, silas) == OF_THE_CARD and "data-input" not in text(answer)


def test_a_part_in_which_nothing_stands_is_folded_away_and_a_list_with_a_row_is_not(cast, silas):
    def folded():
        answer = text(page(cast.player, "character", cast, silas.pk))
        parts = re.findall(r'<details class="card sheet-fold">.*?</details>', answer)
        return {found[1] for part in parts if (found := re.search(r'id="part-(\w+)"', part))}

    assert folded() == {"conditions", "powers", "backgrounds", "merits"}
    add_row(cast.player.member, silas, "backgrounds", {"name": "Allies"}, key=uuid4())
    assert folded() == {"conditions", "powers", "merits"}


def test_an_npcs_sheet_and_disposition_are_the_gms(cast, npc):
    set_field(cast.gm.member, npc, "disposition", -4, expected=0, key=uuid4())
    answer = page(cast.gm, "character", cast, npc.pk)
    assert drawn(answer, npc) == sorted([*SHEET.fields, "disposition"])
    answer = page(cast.player, "character", cast, npc.pk)
    assert "Regent · NPC" in text(answer)
    assert "Disposition" not in text(answer) and drawn(answer, npc) == OF_THE_CARD


def test_a_gm_who_looks_as_a_player_sees_what_that_player_sees(cast, silas, npc, hidden):
    look(cast, cast.other_player.member.pk)
    assert SECRET_NAME not in text(page(cast.gm, "characters", cast))
    assert drawn(page(cast.gm, "character", cast, silas.pk), silas) == OF_THE_CARD
    assert page(cast.gm, "character", cast, hidden.pk).status_code == 404
    assert put(cast.gm, cast, npc, "wits", 2, 1).status_code == 403


# Fields


def test_a_field_saves_by_itself_and_the_socket_brings_it(cast, silas):
    answer = put(cast.player, cast, silas, "wits", 4, 1)
    assert (answer.status_code, answer.content) == (204, b"")
    assert reread(silas).value("wits") == 4


def test_who_comes_second_gets_both_values_and_the_choice(cast, silas):
    put(cast.gm, cast, silas, "willpower", 6, 3)
    answer = put(cast.player, cast, silas, "willpower", 5, 3)
    assert answer.status_code == 409
    said = text(answer)
    assert "Willpower is now 6. Gm changed it." in said
    assert "Theirs 6 Yours 5" in re.sub(r"(<[^>]*>|\s)+", " ", said)
    assert 'data-mine="6">Keep mine' in said and 'data-theirs="6">Use theirs' in said
    assert put(cast.player, cast, silas, "willpower", 5, 6).status_code == 204


@pytest.mark.parametrize(
    ("field", "value", "seen", "words"),
    [
        ("wits", "6", "1", "Wits goes from 0 to 5, not 6."),
        ("wits", "9" * 20_000, "1", "whole number"),
        ("wits", "2", "", "whole number"),
        ("willpower_now", "9", "3", "Current Willpower goes from 0 to 3, not 9."),
        ("disposition", "1", "0", "This sheet has no field called"),
        ("<b>", "1", "1", "&lt;b&gt;"),
        ("x" * 100_000, "1", "1", "no field called"),
    ],
)
def test_bad_values_get_a_clear_message_and_change_nothing(cast, silas, field, value, seen, words):
    events = len(told())
    answer = put(cast.player, cast, silas, field, value, seen)
    assert answer.status_code == 422
    assert words in text(answer) and len(answer.content) < 1000
    assert reread(silas).sheet == {} and len(told()) == events


def test_a_refusal_to_others_says_nothing_of_the_sheet(cast, silas):
    set_field(cast.player.member, silas, "willpower", 9, expected=3, key=uuid4())
    answer = put(cast.other_player, cast, silas, "willpower", 2, 1)
    assert answer.status_code == 403
    assert "9" not in re.sub(r"<[^>]*>", "", text(answer))


def test_undoing_is_offered_to_whoever_has_something_to_undo(cast, silas):
    def offered(person):
        return re.search(r"data-undo\s+hidden", page(person, "character", cast, silas.pk).content.decode()) is None

    assert not offered(cast.player)
    put(cast.player, cast, silas, "wits", 2, 1)
    put(cast.player, cast, silas, "wits", 3, 2)
    assert offered(cast.player) and not offered(cast.gm)
    left = [send(cast.player, "character_undo", cast, silas.pk).json()["more"] for _ in range(2)]
    assert left == [True, False] and not offered(cast.player)
