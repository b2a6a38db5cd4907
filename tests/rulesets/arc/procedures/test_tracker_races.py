"""An event in turns: two who press at once, who is gone meanwhile, steps that are taken back, words that are erased."""

from __future__ import annotations

from uuid import uuid4

import pytest

from campaigns.errors import Conflict, NotFound
from campaigns.models import EventPayload
from campaigns.services.erasing import erase_words
from campaigns.services.members import remove_member
from characters.models import Character
from characters.services.cards import delete_character, kill_character
from characters.services.fields import set_field
from rolls.models import Procedure
from rolls.services.procedures import take_back_step
from tests.rolls.steps import newest_step
from tests.rulesets.arc.procedures.events import begin, do, order, outcomes, staged, turn_of, waits

SILAS, VESPER = "Silas Grey", "Vesper"


def test_a_gm_notes_and_asks_while_others_go_on(checks, fight):
    do(fight, checks.gm, "skip", VESPER)
    do(fight, checks.gm, "outcome", words="a bolt", whom="1", som=-1, becomes="")
    do(fight, checks.gm, "react", whom=["1"], occasion="cornered")
    do(fight, checks.gm, "change", SILAS, to="dead", before="")
    assert len(outcomes(fight)) == 1 and waits(fight) == [("Dog", "to declare")]


def test_the_gm_acts_for_who_was_removed_at_their_turn(checks):
    fight = begin(checks.gm, checks.silas)
    do(fight, checks.gm, "react", whom=["1"], occasion="cornered")
    remove_member(checks.gm, checks.mo, key=uuid4())
    with pytest.raises(NotFound):
        do(fight, checks.mo, "declare", SILAS)
    do(fight, checks.gm, "waive", SILAS)
    do(fight, checks.gm, "declare", SILAS)
    assert waits(fight) == [(SILAS, "to act")]


def test_who_dies_in_their_turn_lies_there_and_a_gm_is_asked_about_their_side(checks, fight):
    do(fight, checks.gm, "declare", VESPER)
    kill_character(checks.gm, Character.objects.get(pk=checks.vesper.pk), key=uuid4())
    assert order(fight) == ["Dog", SILAS]
    assert turn_of(fight, VESPER)["words"].endswith("dead") and (
        "the GM",
        "to say who rolls a Reaction check",
    ) in waits(fight)
    do(fight, checks.gm, "check", "first_falls", faces=(9,))
    assert order(fight) == [SILAS], "the dog, of the same side, has lost its turn"


def test_a_character_who_is_deleted_in_their_turn_is_out_of_it(checks, fight):
    do(fight, checks.gm, "declare", VESPER)
    delete_character(checks.gm, Character.objects.get(pk=checks.vesper.pk), VESPER, key=uuid4())
    assert order(fight) == ["Dog", SILAS] and waits(fight) == [("Dog", "to declare")]


def test_somebody_taken_out_by_one_gm_cannot_be_moved_by_another(checks, fight):
    do(fight, checks.gm, "change", VESPER, to="leaves", before="")
    with pytest.raises(Conflict):
        do(fight, checks.gm, "done", "2")
    with pytest.raises(Conflict):
        do(fight, checks.gm, "declare", "2")
    assert order(fight) == ["Dog", SILAS]


def test_a_step_that_is_taken_back_goes_by_the_sheets_as_they_are_by_then(checks, fight):
    do(fight, checks.gm, "skip", VESPER)
    silas = Character.objects.get(pk=checks.silas.pk)
    set_field(checks.mo, silas, "som", 1, expected=6, key=uuid4())
    take_back_step(checks.gm, fight.pk, step=newest_step(fight), key=uuid4())
    assert order(fight) == [SILAS, VESPER, "Dog"] and waits(fight) == [(SILAS, "to declare")]


def test_a_turn_that_is_taken_back_brings_the_som_back(checks):
    fight = begin(checks.gm, checks.silas)
    do(fight, checks.gm, "outcome", words="a blow", whom="1", som=-2, becomes="")
    do(fight, checks.mo, "wait", SILAS)
    do(fight, checks.gm, "turn")
    assert Character.objects.get(pk=checks.silas.pk).sheet["som"] == 4
    take_back_step(checks.gm, fight.pk, step=newest_step(fight), key=uuid4())
    assert Character.objects.get(pk=checks.silas.pk).sheet["som"] == 6
    assert (staged(fight)["above"], outcomes(fight)) == (
        "Turn 1 · seconds 0 to 6",
        ["a blow; Silas Grey: state of mind −2"],
    )


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
