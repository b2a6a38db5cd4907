"""What releases up to 0.2.1 left open: the upgrade ends it, and says so to those who knew of it."""

from __future__ import annotations

from importlib import import_module
from uuid import uuid4

import pytest
from django.apps import apps
from django.utils import translation

from campaigns.errors import Blocked
from campaigns.live.render import render_line
from campaigns.models import Event, Role
from campaigns.services.log_entries import reindex
from rolls.events import described_procedure
from rolls.models import Audience, Procedure, RollRequest
from rolls.queries.checking import faults
from rolls.queries.procedures import open_procedures
from rolls.registry import RULESETS
from rolls.services.procedures import close_procedure
from rolls.services.rolls import void_roll
from rules.procedures import OPEN
from tests.cast import seat_at
from tests.rolls.services.test_procedure_effects import begun_by_rolls, wagers  # noqa: F401
from tests.rolls.services.test_procedures import begin, roll
from tests.rulesets.storyteller.procedures.test_attack import strike

UPGRADE = import_module("rolls.migrations.0011_end_procedures")
SAID = "This site was upgraded, which ended “Extended action: the old lock”. Start it again if you still need it."


def upgrade() -> list[Event]:
    """Migrate as a host does, and return what the logs have of it."""
    before = [*Event.objects.values_list("pk", flat=True)]
    UPGRADE.end(apps, None)
    reindex()
    return [*Event.objects.exclude(pk__in=before).select_related("stream", "stored", "index").order_by("pk")]


def test_what_is_open_ends_with_one_line_and_asks_for_no_roll_any_more(play):
    roll(play, begin(play), 7, 8, 2, 2, 2)
    lines = [render_line(event, Role.SPECTATOR) for event in upgrade()]
    assert [line for line in lines if SAID in line] == [line for line in lines if "<p" in line] == lines[-1:]
    assert not open_procedures(seat_at(play.gm)) and not RollRequest.objects.filter(closed_at=None).exists()
    assert list(faults(play.campaign)) == []


def test_it_is_said_in_the_readers_language(play):
    begin(play)
    ended = upgrade()[-1]
    with translation.override("de"):
        line = render_line(ended, Role.PLAYER)
    assert "„Ausgedehnte Aktion: the old lock“ wurde durch ein Update der Website beendet. Bei Bedarf bitte" in line


def test_what_was_not_begun_by_hand_is_not_to_be_started_again(play, monkeypatch):
    begun_by_rolls(monkeypatch, play)
    monkeypatch.delitem(RULESETS["storyteller"].procedures["wager"].forms, OPEN)
    play.roll(7, 8, 2)
    line = render_line(upgrade()[-1], Role.PLAYER)
    assert "ended “Wager”." in line and "Start it again" not in line


def test_players_read_no_more_of_it_than_before(play):
    strike(play, play.mo, a_character=play.silas.pk, target=play.vesper.pk)
    table, gms = upgrade()[-2:]
    assert (table.stream.name, gms.stream.name, table.uid) == ("table", "gm", gms.uid)
    assert table.payload["less"] and not gms.payload["less"]
    assert table.payload["procedure"]["card"] != gms.payload["procedure"]["card"]
    assert list(faults(play.campaign)) == []


def test_what_only_gms_knew_of_is_told_them_alone(play, monkeypatch):
    begun_by_rolls(monkeypatch, play)
    play.roll(7, 8, 2, by=play.gm, character=play.silas.pk, audience=Audience.GM)
    assert [event.stream.name for event in upgrade()] == ["gm"]
    assert list(faults(play.campaign)) == []


def test_a_second_time_nothing_is_left_to_end(play):
    begin(play)
    assert upgrade() and not upgrade()


def test_what_has_ended_stays_so_whatever_becomes_of_its_rolls(play):
    procedure = begin(play, most=1)
    last = roll(play, procedure, 7, 2, 2, 2, 2)
    assert not upgrade()
    void_roll(play.gm, last.pk, key=uuid4())
    assert not Procedure.objects.filter(closed_at=None).exists() and list(faults(play.campaign)) == []


def test_who_presses_in_it_afterwards_reads_what_ended_it(play):
    procedure = begin(play)
    upgrade()
    with pytest.raises(Blocked, match=r"This is over\. This site was upgraded"):
        close_procedure(play.gm, procedure.pk, key=uuid4())


def test_what_was_told_with_a_state_that_no_rules_read_any_more_is_still_named(play):
    state = {"a": "", "b": "", "won": None}
    told = {"id": str(uuid4()), "system": "storyteller", "kind": "wager", "reason": "", "state": state, "players": []}
    described = described_procedure(told | {"order": 1})
    assert (described["label"], described["template"], described["waits"]) == ("Wager", "", [])
