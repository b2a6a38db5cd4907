"""Whose a procedure's roll is, in everything that tells or counts it, where a GM lets the dice fall."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

import pytest

from campaigns.live.render import render_line
from campaigns.models import Role
from campaigns.queries.export import as_csv, found
from campaigns.queries.search import EVERYTHING
from campaigns.services.erasing import erase_words
from campaigns.services.play import start_session
from rolls.models import Audience, Roll
from rolls.queries.sessions import told
from rolls.queries.statistics.rolled import rolled
from rolls.services.rolls import correct_roll
from tests.cast import seat_at
from tests.rolls.services.test_procedures import begin
from tests.rolls.services.test_procedures import roll as answer
from tests.stored import store

NOTE = "she holds her breath"


@pytest.fixture
def session(play):
    return start_session(play.gm, key=uuid4())


@pytest.fixture
def by_gm(play, session):
    """Mo's character acts, and the GM makes the roll that waits for Mo."""
    return answer(play, begin(play), 7, 8, 2, 2, 2, by=play.gm, note=NOTE)


def test_the_line_names_the_player_and_says_which_gm_rolled(play, by_gm):
    line = " ".join(render_line(by_gm.event, Role.PLAYER).split())
    assert f"<b>{play.mo.name}</b> as Silas Grey" in line and f"rolled by {play.gm.name}" in line
    by_mo = answer(play, by_gm.request.procedure, 7, 2, 2, 2, 2)
    assert "rolled by" not in render_line(by_mo.event, Role.PLAYER)


def test_a_corrected_roll_stays_the_players(play, by_gm):
    right = correct_roll(play.gm, by_gm.pk, {"difficulty": 8}, key=uuid4())
    assert (right.by, right.event.payload["rolled_by"]["name"]) == (play.mo, play.gm.name)


def test_statistics_count_it_for_the_player(play, by_gm):
    assert [roll.player for roll in rolled(seat_at(play.mo))] == [play.mo.pk]


def test_the_player_has_played_in_the_session(play, session, by_gm):
    assert play.mo in told(seat_at(play.watcher), session).who


def test_log_and_export_find_it_by_the_player(play, by_gm):
    theirs = replace(EVERYTHING, who=play.mo.pk)
    assert by_gm.event in found(seat_at(play.watcher), theirs)
    row = next(line for line in as_csv(seat_at(play.watcher), theirs) if "Perception" in line)
    assert f'"{play.mo.name}"' in row


def test_a_roll_for_the_player_and_the_gm_is_told_to_that_player(play):
    procedure = begin(play)
    procedure.requests.update(audience=Audience.SELF)
    store(procedure, stream=play.mo.stream, opened_by=play.mo)
    roll = answer(play, procedure, 7, 8, 2, 2, 2, by=play.gm)
    assert roll.event.stream.name == play.mo.stream


def test_what_the_gm_typed_with_it_is_erased_with_the_gms_words(play, by_gm):
    erase_words(play.mo, play.mo, key=uuid4())
    assert NOTE in str(Roll.objects.get().event.payload)
    erase_words(play.gm, play.gm, key=uuid4())
    assert NOTE not in str(Roll.objects.get().event.payload)
