"""What a table asks of the database when somebody writes. It grows unnoticed, and a whole table waits for each statement.

The figures are PostgreSQL's. SQLite stores the rows of an event one table after the other: four statements more for each.
Whoever needs one more says so here, and why.
"""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse

from campaigns.models import Event
from campaigns.services.clocks import Draft, make_clock
from scale.models import Burn, Scale
from tests.answers import queries
from tests.rolls.usual import ROLLS, statements

pytestmark = [pytest.mark.django_db, pytest.mark.run_on("sqlite", "postgresql")]

# One for the rows of the sheet. What follows from a roll of Descriptors is a procedure: its row and step, and the procedures that
# depend on the sheet that paid, of which none reads it again. Who plays whom is read, once, where an act is open to players. What
# moved the Scale or was paid is in the journal, to be undone.
ROLL = {"storyteller": 16, "forged": 12, "arc": 12, "descriptors": 21}


def check(most, act):
    before = Event.objects.count()
    with statements() as asked:
        act()
    told = Event.objects.count() - before
    most += 4 * told if connection.vendor == "sqlite" else 0
    assert told and len(asked) == most, "\n".join(asked)


@pytest.mark.parametrize("system", ROLLS)
def test_a_roll_takes_no_more_than_this(usual, system):
    usual.roll(system)
    check(ROLL[system], lambda: usual.roll(system))


@pytest.mark.parametrize("system", ROLLS)
def test_a_table_page_takes_no_more_than_this(usual, system):
    usual.roll("storyteller")
    url = reverse("table", args=[usual.cast.campaign.slug]) + f"?character={usual.characters[system].pk}"
    usual.cast.player.client.get(url)
    # One for what else stands on the card of a roll, one for the scene, one for the faces of all who are known.
    assert queries(usual.cast.player.client, url) == 26


def test_a_line_that_is_said_takes_no_more_than_this(usual):
    check(8, lambda: usual.post("compose", text="The lamp goes out.", voice="player"))


def test_a_field_of_a_sheet_takes_no_more_than_this(usual):
    sheet = usual.characters["storyteller"].pk
    # One for the rows of that sheet, for its figures, one for the procedures that may depend on it, and one for the journal.
    check(14, lambda: usual.post("character_field", sheet, field="alertness", expected="2", value="3"))


def test_a_tick_of_a_clock_takes_no_more_than_this(usual):
    clock = make_clock(usual.cast.gm.member, Draft("Dawn", 4, owner="crew"), key=uuid4())
    # One for the procedures that may point at it, and one for the journal.
    check(12, lambda: usual.post("clock_tick", clock.pk, ticks="1"))


@pytest.mark.parametrize(("answer", "most"), [("burn_take", 16), ("burn_bank", 15)])  # one of them for the journal
def test_an_answer_to_a_burn_takes_no_more_than_this(usual, monkeypatch, answer, most):
    usual.roll("storyteller")
    Scale.objects.update(value=2)
    monkeypatch.setattr("rules.fairness.faces", lambda seed, message: iter([9, 5, 5, 5, 5]))
    usual.roll("storyteller")
    burn = Burn.objects.get(state=Burn.State.OFFERED)
    check(most, lambda: usual.post(answer, burn.pk))
