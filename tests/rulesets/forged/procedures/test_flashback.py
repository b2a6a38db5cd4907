"""A flashback at the table: the GM's price, what is paid, and what is let be."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Forbidden, Invalid
from rolls.services.procedures import act, open_procedure
from rules.acts import ActKey
from tests.doors import send
from tests.rolls.steps import mark
from tests.rolls.views.test_procedures import show


def begin(play, by, character):
    given = {"character": character.pk}
    return open_procedure(by, "forged", "flashback", given, reason="I had bribed the clerk", key=uuid4())


def test_the_gm_says_what_it_costs_and_the_player_pays(play, crew):
    past = begin(play, play.mo, crew.cross)
    assert crew.waits(past) == [("the GM", "to set what it costs")]
    crew.press(play.gm, past, "set", whom="2")
    assert crew.waits(past) == [("Cross", "to pay for it, or drop it")]
    crew.press(play.mo, past, "accept", whom=str(crew.cross.pk))
    assert crew.number(crew.cross, "stress") == 5 and not crew.shown(past)


def test_nobody_pays_before_there_is_a_price_or_in_spite_of_another(play, crew):
    past = begin(play, play.mo, crew.cross)
    with pytest.raises(Conflict):
        crew.press(play.mo, past, "accept", whom=str(crew.cross.pk))
    crew.press(play.gm, past, "set", whom="0")
    seen = mark(past, f"accept:{crew.cross.pk}")
    crew.press(play.gm, past, "set", whom="2")
    with pytest.raises(Conflict, match="acted first"):
        act(play.mo, past.pk, ActKey("accept", str(crew.cross.pk), seen), key=uuid4())
    for by, step, whom in (
        (play.mo, "set", "0"),
        (play.other, "accept", str(crew.cross.pk)),
        (play.other, "drop", str(crew.cross.pk)),
    ):
        with pytest.raises(Forbidden):
            crew.press(by, past, step, whom=whom)
    assert crew.number(crew.cross, "stress") == 3


def test_players_have_flashbacks_of_their_own_alone(play, crew):
    for character in (crew.nyx, play.vesper, play.silas):
        with pytest.raises(Invalid, match="Choose from the list"):
            begin(play, play.mo, character)


def test_the_forms_list_own_characters_and_refuse_what_is_no_price(play, cast, crew):
    html = show(cast.player, cast, "procedure_new", "forged", "flashback").content.decode()
    assert "Cross" in html and "Nyx" not in html
    past = begin(play, play.mo, crew.cross)
    for typed in ("-1", "10", "x", ""):
        answer = send(cast.gm, "procedure_act", past.pk, act="more", stress=typed)
        assert answer.status_code == 422 and 'data-field="stress"' in answer.content.decode()
