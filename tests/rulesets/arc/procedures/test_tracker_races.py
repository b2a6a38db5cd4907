"""An event in turns: two who press at once, who is gone meanwhile, steps that are taken back, words that are erased."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import NotFound
from campaigns.models import EventPayload
from campaigns.services.erasing import erase_words
from campaigns.services.members import remove_member
from characters.models import Character
from characters.services.cards import delete_character
from characters.services.fields import set_field
from rolls.models import Procedure
from rolls.services.procedures import take_back_step
from tests.rolls.steps import newest_step
from tests.rulesets.arc.procedures.events import begin, do, order, outcomes, waits

SILAS, VESPER = "Silas Grey", "Vesper"


def test_the_gm_acts_for_who_was_removed_at_their_turn(checks):
    fight = begin(checks.gm, checks.silas)
    do(fight, checks.gm, "react", whom=["1"], occasion="cornered")
    remove_member(checks.gm, checks.mo, key=uuid4())
    with pytest.raises(NotFound):
        do(fight, checks.mo, "declare", SILAS)
    do(fight, checks.gm, "waive", SILAS)
    do(fight, checks.gm, "declare", SILAS)
    assert waits(fight) == [(SILAS, "to act")]


def test_a_character_who_is_deleted_in_their_turn_is_out_of_it(checks, fight):
    do(fight, checks.gm, "declare", VESPER)
    delete_character(checks.gm, Character.objects.get(pk=checks.vesper.pk), VESPER, key=uuid4())
    assert order(fight) == ["Dog", SILAS] and waits(fight) == [("Dog", "to declare")]


def test_a_step_that_is_taken_back_goes_by_the_sheets_as_they_are_by_then(checks, fight):
    do(fight, checks.gm, "skip", VESPER)
    silas = Character.objects.get(pk=checks.silas.pk)
    set_field(checks.mo, silas, "som", 1, expected=6, key=uuid4())
    take_back_step(checks.gm, fight.pk, step=newest_step(fight), key=uuid4())
    assert order(fight) == [SILAS, VESPER, "Dog"] and waits(fight) == [(SILAS, "to declare")]


def test_what_was_declared_is_erased_wherever_it_is_told_again(checks, fight):
    do(fight, checks.gm, "skip", VESPER)
    do(fight, checks.gm, "skip", "Dog")
    do(fight, checks.mo, "declare", SILAS, words="a secret handshake")
    do(fight, checks.gm, "outcome", words="the door gives", whom="", som=0, becomes="")
    told = EventPayload.objects.filter(event__campaign=checks.campaign)
    assert sum("handshake" in str(one.payload) for one in told) > 1
    erase_words(checks.mo, checks.mo, key=uuid4())
    assert not any("handshake" in str(one.payload) for one in told.all())
    assert "handshake" not in str(list(Procedure.objects.values_list("state", "steps__before")))
    # What others typed, codes and names stay.
    assert "the door gives" in outcomes(fight) and waits(fight) == [(SILAS, "to act")]
