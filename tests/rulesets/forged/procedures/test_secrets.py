"""What is settled at the table takes nothing along of a crew or clock that players do not know of."""

from __future__ import annotations

import json
from dataclasses import replace
from uuid import uuid4

import pytest

from campaigns.errors import Conflict, Invalid
from campaigns.models import Clock, ClockVisibility
from characters.models import Character
from characters.services.cards import card_of, card_version, change_character
from tests.answers import refusal
from tests.rolls.views.test_procedures import show
from tests.rulesets.forged.procedures.staged import begin, clock, filled, inflicts, press, rolled, sets
from tests.sheets import create_character

KNOWN, UNKNOWN = "The Lamps", "Ash Hounds"
UNKNOWN_HEAT = 7


def crew(play, name: str, *, shown: bool = True, **sheet: object) -> Character:
    return create_character(campaign=play.campaign, name=name, system="forged", is_crew=True, shown=shown, sheet=sheet)


@pytest.fixture
def unknown(play) -> Character:
    """Return a hidden crew, which is first by name."""
    cohort = {"id": "a" * 32, "at": 1, "name": "Hound pack", "quality": 4, "state": "ready"}
    return crew(play, UNKNOWN, shown=False, heat=UNKNOWN_HEAT, wanted=3, cohorts=[cohort])


@pytest.fixture
def known(play) -> Character:
    return crew(play, KNOWN, heat=2, wanted=1)


def told(play) -> str:
    """Return all that is in the table's events, and in their subjects."""
    events = play.events()
    about = [name for event in events for name in event.subjects.values_list("name", flat=True)]
    return json.dumps([*(event.stored.payload for event in events), *about])


def hide(play, character: Character) -> None:
    there = Character.objects.get(pk=character.pk)
    card = replace(card_of(there), shown=False)
    change_character(play.gm, there, card, expected=card_version(there), key=uuid4())


def test_an_action_goes_by_the_crew_that_players_know_of(play, cross, unknown, known):
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "complication", heat=True, words="A witness")
    press(play.mo, procedure, "take_it", "c1")
    assert KNOWN in told(play)
    assert UNKNOWN not in told(play) and "Hound pack" not in told(play) and str(unknown.pk) not in told(play)
    unknown.refresh_from_db()
    known.refresh_from_db()
    assert (unknown.number("heat"), known.number("heat")) == (UNKNOWN_HEAT, 3)


def test_an_action_beside_a_hidden_crew_alone_has_none(play, cross, unknown):
    procedure = rolled(play, cross, 5)
    refused = refusal(Invalid, inflicts, play.gm, procedure, "complication", heat=True, words="A witness")
    assert refused.field == "heat"
    assert UNKNOWN not in told(play)


def test_what_a_crew_is_after_it_was_hidden_is_told_by_no_action(play, cross, known):
    procedure = begin(play.mo, cross)
    hide(play, known)
    known.refresh_from_db()
    changed = replace(card_of(known), name="Renamed in secret")
    change_character(play.gm, known, changed, expected=card_version(known), key=uuid4())
    sets(play.gm, procedure)
    assert "Renamed in secret" not in told(play)


def test_a_clock_that_was_made_secret_is_gone_from_an_action(play, cross):
    alarm = clock(play, "Alarm")
    procedure = rolled(play, cross, 5)
    inflicts(play.gm, procedure, "complication", clock=alarm.pk)
    Clock.objects.filter(pk=alarm.pk).update(visibility=ClockVisibility.SECRET)
    with pytest.raises(Conflict):
        press(play.mo, procedure, "take_it", "c1")
    press(play.gm, procedure, "move_its_ticks", "c1", clock=None, new_clock="", segments=4, filled=0)
    press(play.mo, procedure, "take_it", "c1")
    assert filled(alarm) == 0


def test_a_gm_rolls_fortune_for_what_players_know_of(cast, play, unknown, known):
    html = show(cast.gm, cast, "procedure_new", "forged", "fortune").content.decode()
    assert KNOWN in html and UNKNOWN not in html and "Hound pack" not in html
