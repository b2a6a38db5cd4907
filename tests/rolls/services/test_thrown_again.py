"""Rolls whose dice were thrown again by steps of 0.2.0 are read, counted and corrected as they stand."""

from __future__ import annotations

from uuid import uuid4

from campaigns.live.render import render_line
from campaigns.models import Event, Role
from rolls.queries.statistics.rolled import rolled
from rolls.services.rolls import correct_roll
from tests import dice
from tests.cast import seat_at
from tests.rolls.thrown_again import throw_again


def thrown(play, roll, *fell, at):
    dice.unload()
    dice.load(*fell)
    return throw_again(play.mo, roll.pk, *at, key=uuid4())


def test_the_log_tells_who_did_it_and_why_and_the_card_shows_what_the_die_showed_before(play):
    roll = thrown(play, play.roll(2, 3, 4), 9, at=[0])
    line = render_line(roll.event, Role.PLAYER)
    assert f"{play.mo.name} rolled 1 die again: roll" in line
    assert "9 (was 2), 3, 4" in line and "9, was 2" in line and '<s class="was">2</s>' in line
    voided = Event.objects.get(kind="rolls.roll_voided", campaign=play.campaign)
    assert "voided a roll" not in render_line(voided, Role.PLAYER)


def test_a_die_that_was_thrown_twice_shows_all_that_it_showed(play):
    roll = thrown(play, thrown(play, play.roll(2, 3, 4), 9, at=[0]), 8, 7, 6, at=[2, 0, 1])
    assert [die["was"] for die in roll.event.described["dice"]] == [[2, 9], [3], [4]]
    assert "rolled 3 dice again" in render_line(roll.event, Role.PLAYER)


def test_a_roll_of_which_only_the_terms_changed_says_so(play):
    stored = thrown(play, play.roll(2, 3, 4), 9, at=[0]).event.stored
    stored.payload["amended"]["dice"] = 0
    stored.save()
    line = render_line(Event.objects.get(pk=stored.event_id), Role.PLAYER)
    assert f"{play.mo.name} changed a roll: roll" in line


def test_a_gm_corrects_the_dice_as_they_stand(play):
    roll = thrown(play, play.roll(2, 3, 4), 9, at=[0])
    corrected = correct_roll(play.gm, roll.pk, {"difficulty": 8}, key=uuid4())
    assert (corrected.faces, corrected.rerolls) == ([9, 3, 4], roll.rerolls)
    assert "was 2" in render_line(corrected.event, Role.PLAYER)


def test_statistics_count_all_faces_that_fell(play):
    thrown(play, play.roll(1, 3, 4), 9, at=[0])
    (counted,) = rolled(seat_at(play.mo))
    assert counted.fallen == [9, 3, 4, 1]
    assert counted.faces == [[9, 3, 4]]
