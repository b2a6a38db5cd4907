"""An opposed action at the table: each side's owner rolls theirs, the GM for all others."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Forbidden, NotFound
from characters.services.fields import set_field
from rolls.models import Procedure
from rolls.queries.procedures import open_procedures
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
from tests.cast import seat_at
from tests.sheets import rewrite

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


def begin(play, a, b, *, by=None, **given):
    named = {"a_character": a and a.pk, "b_character": b and b.pk}
    return open_procedure(by or play.gm, "storyteller", "opposed", SIDES | named | given, key=uuid4())


def roll(play, procedure, side, *faces, by):
    """Make the roll that is asked of this side now."""
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
    assert said(play) == "Opposed action: Silas Grey 3. Still to roll: Corvina."
    assert [
        [mark["words"] for mark in side["marks"]]
        for side in open_procedures(seat_at(play.watcher))[0]["staged"]["sides"]
    ] == [
        ["rolled 3"],
        [],
    ]
    roll(play, procedure, "b", 7, 5, 5, by=play.other)
    assert said(play) == "Opposed action: Silas Grey 3, Corvina 1. Silas Grey won by 2."
    assert not open_procedures(seat_at(play.watcher))


def test_the_gm_sets_what_a_player_announces_and_nobody_else_calls_it_off(play):
    procedure = begin(play, play.silas, play.vesper, by=play.mo)
    off_it = ActKey("withdraw", str(play.silas.pk))
    with pytest.raises(Forbidden):
        act(play.mo, procedure.pk, ActKey("set"), given=SIDES, key=uuid4())
    with pytest.raises(Forbidden, match="whoever plays Silas Grey"):
        act(play.other, procedure.pk, off_it, key=uuid4())
    assert not procedure.requests.exists()
    act(play.mo, procedure.pk, off_it, key=uuid4())
    assert Procedure.objects.get(pk=procedure.pk).closed_at


def test_the_dice_of_an_npc_are_in_the_odds_of_gms_alone(play):
    rewrite(play.vesper, sheet={"wits": 5})
    begin(play, play.silas, play.vesper, a_pool="perception", b_pool="wits")

    def odds(who):
        return open_procedures(seat_at(who))[0]["staged"]["odds"]

    known, told = odds(play.gm), len(play.events())
    assert known["dice"] == 3 and odds(play.mo) is None
    set_field(play.gm, play.vesper, "wits", 4, expected=5, key=uuid4())
    assert odds(play.gm)["parts"] != known["parts"] and odds(play.mo) is None
    assert len(play.events()) == told
