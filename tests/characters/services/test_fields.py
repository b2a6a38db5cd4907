"""Fields of sheets: set by two at once, out of range, by others; and what rolls and Burns do with them."""

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Invalid, NotFound
from campaigns.live.render import render_line
from campaigns.models import Role
from characters.models import Character
from characters.services.fields import set_field
from characters.services.sheet_writes import get_character, take_steps
from characters.sheets.steps import Shift
from tests.answers import refusal
from tests.characters.operations import inside, put, told
from tests.sheets import rewrite
from tests.stored import reread


def test_a_field_changes_in_one_event_with_before_and_after(cast, silas):
    put(cast.player.member, silas, "strength", "4", "1")
    event = told()[-1]
    assert event.stream.name == cast.player.member.stream
    assert event.kind == "characters.field_changed"
    assert (event.payload["before"], event.payload["after"]) == (1, 4)
    told_of = {"field": "strength", "value": 4, "of": 5, "row": "", "name": ""}
    assert event.payload["cell"] == told_of
    assert event.described["cell"] == told_of | {"label": "Strength", "style": "dots", "words": "4"}
    assert reread(silas).value("strength") == 4


def test_an_npcs_fields_are_told_to_the_gms_alone_even_when_it_is_shown(cast, npc):
    put(cast.gm.member, npc, "wits", 3, 1)
    assert told()[-1].stream.name == "gm"


@pytest.mark.parametrize(("typed", "now", "said"), [("+5", 17, "+5"), (" -5 ", 7, "−5"), ("−5", 7, "−5"), ("5", 5, "")])
def test_a_number_with_a_sign_changes_one_that_cannot_be_negative_and_its_history_says_so(
    cast, silas, typed, now, said
):
    put(cast.player.member, silas, "blood_per_turn", "12", 1)
    put(cast.player.member, silas, "blood_per_turn", typed, 12)
    assert reread(silas).value("blood_per_turn") == now
    event = told()[-1]
    assert (event.payload["before"], event.payload["after"], event.payload["why"]) == (12, now, said)
    assert not said or f"from 12 to {now} ({said})" in " ".join(render_line(event, Role.GM).split())


def test_a_reason_stands_behind_what_was_added(cast, silas):
    set_field(cast.player.member, silas, "blood_per_turn", "+2", expected=1, why="the deer", key=uuid4())
    assert told()[-1].payload["why"] == "+2, the deer"


def test_more_than_fits_is_refused_and_nothing_changes(cast, silas):
    with pytest.raises(Invalid, match="goes from 0 to 50, not 81"):
        put(cast.player.member, silas, "blood_per_turn", "+80", 1)
    assert reread(silas).value("blood_per_turn") == 1


def test_two_who_add_at_once_both_learn_of_it(cast, silas):
    put(cast.gm.member, silas, "blood_per_turn", "+1", 1)
    assert refusal(Conflict, put, cast.player.member, silas, "blood_per_turn", "+1", 1).current == 2


def test_a_sign_is_the_number_s_own_where_it_may_be_negative(cast, npc):
    put(cast.gm.member, npc, "disposition", "+2", 0)
    put(cast.gm.member, npc, "disposition", "−3", 2)
    assert reread(npc).disposition == -3


def test_who_wrote_another_field_is_not_blamed(cast, silas):
    put(cast.gm.member, silas, "wits", 2, 1)
    put(cast.player.member, silas, "strength", 3, 1)
    assert refusal(Conflict, put, cast.player.member, silas, "wits", 4, 1).by == "Gm"


def test_two_who_want_the_same_are_both_content(cast, silas):
    put(cast.gm.member, silas, "wits", 3, 1)
    events = len(told())
    put(cast.player.member, silas, "wits", 3, 1)
    assert len(told()) == events


def test_lowering_permanent_willpower_takes_the_current_with_it(cast, silas):
    put(cast.player.member, silas, "willpower", 2, 3)
    assert reread(silas).sheet == {"willpower": 2, "willpower_now": 2}
    permanent, current = told()[-2:]
    assert (current.payload["before"], current.payload["after"]) == (3, 2)
    assert current.payload["cell"]["of"] == 2
    assert permanent.payload["also"] == [current.payload["cell"]]


def test_raising_permanent_willpower_leaves_the_current_and_draws_it_anew(cast, silas):
    put(cast.player.member, silas, "willpower", 7, 3)
    (also,) = told()[-1].payload["also"]
    assert (also["field"], also["value"], also["of"]) == ("willpower_now", 3, 7)


def test_a_hidden_npc_and_one_that_never_was_are_refused_alike(cast, hidden):
    there, nobody = (
        str(refusal(NotFound, put, cast.player.member, one, "wits", 2, 1)) for one in (hidden, Character(id=uuid4()))
    )
    assert there == nobody


def test_an_npcs_disposition_is_a_field_of_it(cast, npc):
    put(cast.gm.member, npc, "disposition", "-5", "0")
    assert reread(npc).disposition == -5
    assert told()[-1].described["cell"]["style"] == "signed"


# What rolls and Burns shift


def shift(member, character, by, address="willpower_now", why=""):
    inside(member, lambda table: take_steps(table, get_character(table, character), (Shift(address, by),), why=why))
    character.refresh_from_db()
    return character.number(address)


def test_a_spent_willpower_point_leaves_the_permanent_rating(cast, silas):
    assert shift(cast.player.member, silas, -1, why="a roll") == 2
    assert reread(silas).value("willpower") == 3
    event = told()[-1]
    assert (event.payload["before"], event.payload["after"], event.payload["why"]) == (3, 2, "a roll")


@pytest.mark.parametrize("there", [0, 1])
def test_no_more_willpower_is_spent_than_there_is_on_the_sheet_under_the_lock(cast, silas, there):
    put(cast.gm.member, silas, "willpower_now", there, 3)
    assert shift(cast.player.member, silas, -1) == 0


def test_a_returned_point_does_not_exceed_the_permanent_rating(cast, silas):
    shift(cast.player.member, silas, -1)
    assert shift(cast.gm.member, silas, 1) == 3
    events = len(told())
    assert shift(cast.gm.member, silas, 1) == 3
    assert len(told()) == events


def test_a_shift_goes_no_further_up_than_there_is_room_and_leaves_what_is_beyond(cast, silas):
    for at, to, most in ((1, 2, 2), (3, 3, 2)):
        rewrite(silas, sheet=silas.sheet | {"willpower_now": at})
        steps = (Shift("willpower_now", 2, most=most),)
        inside(cast.gm.member, lambda table, steps=steps: take_steps(table, get_character(table, silas), steps, why=""))
        silas.refresh_from_db()
        assert silas.number("willpower_now") == to


def test_what_is_given_back_does_not_exceed_the_field(cast, silas):
    for by, to in ((-3, 7), (2, 9), (2, 10)):
        assert shift(cast.gm.member, silas, by, address="blood") == to
    with pytest.raises(Invalid, match="is not a number"):
        shift(cast.gm.member, silas, 1, address="notes")


def test_a_disposition_stays_within_five(cast, npc):
    for by, to in ((1, 1), (9, 5), (-20, -5)):
        assert shift(cast.gm.member, npc, by, address="disposition") == to
    assert {event.stream.name for event in told() if event.kind.endswith("field_changed")} == {"gm"}


def test_a_player_characters_feelings_are_not_moved(cast, silas):
    with pytest.raises(Invalid):
        shift(cast.gm.member, silas, 1, address="disposition")
