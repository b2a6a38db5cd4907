"""Procedures whose acts are the methods of a class, stored, told and undone: by a flashback and a fortune roll."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.utils import translation

from campaigns.errors import Blocked, Conflict
from campaigns.live.render import render_live
from campaigns.models import Role
from campaigns.services.members import remove_member
from characters.models import Character
from characters.services.fields import set_field
from rolls.events import Seen
from rolls.models import Procedure
from rolls.queries.checking import faults
from rolls.queries.procedures import open_procedures
from rolls.registry import RULESETS
from rolls.services.procedures import open_procedure, take_back_step
from tests import dice
from tests.cast import seat_at
from tests.rolls.steps import newest_step
from tests.rulesets.forged.procedures.scene import Crew


@pytest.fixture
def crew(play):
    return Crew(play)


@pytest.fixture
def past(play, crew):
    given = {"character": crew.cross.pk}
    return open_procedure(play.mo, "forged", "flashback", given, reason="A bribe", key=uuid4())


def told(play):
    return [event for event in play.events() if event.kind.startswith("rolls.procedure")]


def waits(play):
    return [(one["name"], one["words"]) for one in told(play)[-1].described["procedure"]["waits"]]


def test_a_step_is_undone_with_what_it_wrote_and_the_rest_stays(play, crew, past):
    crew.press(play.gm, past, "set", whom="2")
    set_field(play.mo, crew.cross, "stress", 5, expected=3, key=uuid4())
    take_back_step(play.gm, past.pk, step=newest_step(past), key=uuid4())
    assert (crew.number(crew.cross, "stress"), waits(play)) == (5, [("the GM", "to set what it costs")])


def test_a_card_is_told_again_once_what_it_shows_was_written_elsewhere(play, crew, past):
    crew.press(play.gm, past, "set", whom="2")
    before = len(told(play))
    set_field(play.mo, crew.cross, "stress", 9, expected=3, key=uuid4())
    assert waits(play) == [("Cross", "to choose a trauma first, or drop it")]
    assert [event.described["said"] for event in told(play)[before:] if event.payload["act"]["name"] == "reread"] == [
        ""
    ]
    set_field(play.mo, crew.cross, "coin", 1, expected=2, key=uuid4())
    assert waits(play) == [("Cross", "to choose a trauma first, or drop it")]


def test_what_was_told_last_is_what_a_page_loads(play, crew, past):
    crew.press(play.gm, past, "set", whom="1")
    for who in (play.gm, play.mo, play.other):
        (loaded,) = open_procedures(seat_at(who))
        assert {**loaded, "card": ""} == {**told(play)[-1].described["procedure"], "card": ""}


@pytest.mark.parametrize("audience", ["gm", "all"])
def test_nobody_who_was_not_told_of_a_card_can_name_it(play, crew, past, audience):
    """A log that is brought from elsewhere may say what it likes."""
    said = told(play)[-1].payload["procedure"]
    assert Seen(said)["staged"] and Seen(said | {"card": f"{audience}.0000000000000000"})["staged"] is None


def test_an_earlier_event_shows_no_later_card(play, crew, past):
    (opened,) = told(play)
    crew.press(play.gm, past, "set", whom="2")
    assert opened.described["procedure"]["staged"] is None
    assert told(play)[-1].described["procedure"]["staged"]["notes"] == ["It costs 2 stress."]


def test_who_has_left_may_press_no_more(play, crew, past):
    crew.press(play.gm, past, "set", whom="1")
    remove_member(play.gm, play.mo, key=uuid4())
    buttons = told(play)[-1].described["procedure"]["buttons"]
    assert [one["members"] for one in buttons if one["name"] == "accept"] == [[]]


def test_who_comes_too_late_is_told_who_was_first_and_changes_nothing(play, crew, past):
    crew.press(play.gm, past, "set", whom="1")
    crew.press(play.gm, past, "accept", whom=str(crew.cross.pk))
    with pytest.raises(Blocked, match="Cross had the flashback"):
        crew.press(play.mo, past, "accept", whom=str(crew.cross.pk))
    assert crew.number(crew.cross, "stress") == 4


def test_of_two_gms_who_set_the_same_price_the_second_is_told(play, crew, past):
    crew.press(play.gm, past, "set", whom="1")
    with pytest.raises(Conflict, match="already settled this"):
        crew.press(play.gm, past, "set", whom="1")


def test_a_log_is_read_in_the_language_of_its_reader_and_without_its_game(play, crew, past, monkeypatch):
    crew.press(play.gm, past, "set", whom="2")
    event = told(play)[-1]
    monkeypatch.delitem(RULESETS, "forged")
    with translation.override("de"):
        described = event.described
        assert described["said"] == "Die Rückblende von Cross kostet: 2 Stress."
        assert described["procedure"]["staged"]["notes"] == ["Sie kostet 2 Stress."]


def test_the_log_of_what_was_played_undone_and_closed_is_sound(play, crew, past):
    crew.press(play.gm, past, "set", whom="1")
    take_back_step(play.gm, past.pk, step=newest_step(past), key=uuid4())
    crew.press(play.mo, past, "drop", whom=str(crew.cross.pk))
    dice.load(6, 2, 3)
    sides = {"a_name": "The Crows", "b_name": "The Wick", "opposed": True}
    open_procedure(play.gm, "forged", "fortune", sides, key=uuid4())
    assert list(faults(play.campaign)) == []
    Procedure.objects.filter(kind="flashback").update(cards={})
    assert any("Procedure" in fault for fault in faults(play.campaign))


def test_a_character_that_is_deleted_leaves_a_card_that_the_gm_can_end(play, crew, past):
    Character.objects.filter(pk=crew.cross.pk).update(deleted_at=play.campaign.created_at)
    crew.press(play.gm, past, "set", whom="1")
    assert waits(play) == [("the GM", "to drop it: Someone is no longer in play")]


def test_its_card_has_the_buttons_of_those_who_may_press_them(play, crew, past):
    crew.press(play.gm, past, "set", whom="2")
    gms, players = (render_live(told(play)[-1], role) for role in (Role.GM, Role.PLAYER))
    assert "Pay 2 stress" in players and "1 stress" not in players
    assert "Pay 2 stress" in gms and "1 stress" in gms and "More stress…" in gms
