"""An opposed action at the table: each side's owner rolls theirs, the GM for all others."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Invalid, NotFound
from rolls.models import Procedure
from rolls.queries.procedures import open_procedures
from rolls.services.amend import void_roll
from rolls.services.procedures import open_procedure
from tests.rolls.services.test_requests import viewer

SIDES = {
    "a_name": "",
    "a_pool": "3",
    "a_difficulty": 6,
    "b_name": "",
    "b_pool": "3",
    "b_difficulty": 7,
    "on_tie": "again",
    "until": "once",
    "goal": 5,
}


def begin(play, a, b, **given):
    named = {"a_character": a and a.pk, "b_character": b and b.pk}
    return open_procedure(play.gm, "storyteller", "opposed", SIDES | named | given, key=uuid4())


def roll(play, procedure, side, *faces, by):
    """What is asked of this side now."""
    asked = procedure.requests.get(closed_at=None, part__startswith=side)
    return play.roll(*faces, by=by, dice=3, difficulty=asked.terms["difficulty"], request=asked.pk)


def said(play):
    told = [event for event in play.events() if event.kind.startswith("rolls.procedure")]
    return told[-1].described["said"]


def test_both_roll_and_more_successes_win(play):
    procedure = begin(play, play.silas, play.corvina)
    assert {(one.part, one.member) for one in procedure.requests.all()} == {("a.1", play.mo), ("b.1", play.other)}
    with pytest.raises(NotFound):
        roll(play, procedure, "b", 7, 7, 2, by=play.mo)
    roll(play, procedure, "a", 7, 7, 7, by=play.mo)
    assert said(play) == "Opposed action: Silas Grey 0, Corvina 0; Corvina to roll"
    assert [one["now"] for one in open_procedures(viewer(play.watcher))[0]["sides"]] == [3, None]
    roll(play, procedure, "b", 7, 5, 5, by=play.other)
    assert said(play) == "Opposed action: Silas Grey 3, Corvina 1: Silas Grey wins by 2"
    assert not open_procedures(viewer(play.watcher))


def test_the_gm_rolls_for_npcs_and_bare_pools(play):
    procedure = begin(play, play.vesper, None, b_name="The tide")
    for side in "ab":
        with pytest.raises(NotFound):
            roll(play, procedure, side, 7, 7, 2, by=play.mo)
        roll(play, procedure, side, 7, 5, 5, by=play.gm)
    assert said(play) == "Opposed action: Vesper 1, The tide 1; Vesper and The tide to roll"
    for side, face in (("a", 5), ("b", 7)):
        roll(play, procedure, side, face, 5, 5, by=play.gm)
    assert said(play) == "Opposed action: Vesper 1, The tide 2: The tide wins by 1"


def test_it_may_go_on_until_one_has_enough(play):
    procedure = begin(play, play.silas, play.corvina, until="first", goal=4)
    for _ in range(2):
        roll(play, procedure, "a", 6, 6, 5, by=play.mo)
        roll(play, procedure, "b", 7, 5, 5, by=play.other)
    assert said(play) == "Opposed action: Silas Grey 4, Corvina 2: Silas Grey wins by 2"


def test_a_roll_of_it_that_is_taken_back_is_asked_for_again(play):
    procedure = begin(play, play.silas, play.corvina)
    roll(play, procedure, "a", 7, 7, 5, by=play.mo)
    made = roll(play, procedure, "b", 7, 5, 5, by=play.other)
    void_roll(play.gm, made.pk, key=uuid4())
    assert procedure.requests.get(closed_at=None).part == "b.1"
    roll(play, procedure, "b", 7, 7, 7, by=play.other)
    assert said(play) == "Opposed action: Silas Grey 2, Corvina 3: Corvina wins by 1"


@pytest.mark.parametrize(
    ("given", "field"), [({"b_pool": "juggling"}, "b_pool"), ({"b_pool": ""}, "b_pool"), ({"a_pool": "101"}, "a_pool")]
)
def test_what_makes_no_two_sides_is_refused(play, given, field):
    with pytest.raises(Invalid) as refused:
        begin(play, play.silas, None, **given)
    assert refused.value.field == field
    with pytest.raises(Invalid) as refused:
        begin(play, play.silas, play.silas)
    assert refused.value.field == "b_character"
    assert not Procedure.objects.exists()
