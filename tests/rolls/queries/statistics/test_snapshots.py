"""What was counted before gives the same statistics as counting everything anew, to everybody, whatever has happened since."""

from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import Campaign
from campaigns.services import play as sessions
from campaigns.services.log_entries import refile
from rolls.models import Audience, StatisticsSnapshot
from rolls.queries.statistics import snapshots, statistics, tallies
from rolls.services import amend
from rolls.services import snapshots as services
from rolls.services.rolls import make_roll
from rolls.services.settings import change_settings
from rolls.services.snapshots import keep_counts
from rolls.settings import RollSettings
from rulesets.storyteller.settings import Settings
from rulesets.storyteller.table.ask import StorytellerInput
from scale.services.burns import bank_burn
from tests.rolls.queries.statistics.test_statistics import LOST, WON, viewer

pytestmark = pytest.mark.django_db

EVERYBODY = ("gm", "mo", "other", "nobody")


@pytest.fixture(autouse=True)
def a_snapshot_after_every_roll(monkeypatch, settings):
    monkeypatch.setattr(services, "EVERY", 1)
    settings.RATE_LIMIT = 1_000_000


def pages(play):
    """Return everyone's statistics, and those of a GM and a player by every filter, alone and together."""
    play.campaign = Campaign.objects.get(pk=play.campaign.pk)
    found = {(who, "{}"): statistics(viewer(play, who), {}) for who in EVERYBODY}
    for who in ("gm", "mo"):
        choices = found[who, "{}"].choices
        chosen = [{what: value} for what, values in choices.items() for value in [*values][-1:]]
        chosen.append({"trait": "Alertness", "character": str(play.silas.pk), "system": "storyteller"})
        found |= {(who, str(one)): statistics(viewer(play, who), one) for one in chosen}
    return found


def same_as_anew(play):
    """Return the pages from the snapshots, after checking that they equal those without any, and those of the next night."""
    found = pages(play)
    StatisticsSnapshot.objects.all().delete()
    assert found == pages(play)
    keep_counts()
    assert found == pages(play)
    return found


SOAK: dict[str, Any] = {"kind": "soak", "traits": ("stamina",), "dice": None, "modifier": 4}
"""Five dice of Silas, which leave the Scale alone."""


def an_evening(play):
    """Play a session with rolls of every audience, and one roll outside of it."""
    play.roll(*LOST, by=play.other)
    sessions.start_session(play.gm, "First", key=uuid4())
    scene = sessions.open_scene(play.gm, key=uuid4())
    rolls = [
        play.roll(*WON, traits=("perception", "alertness"), dice=None),
        play.roll(*LOST, willpower=True),
        play.roll(*LOST, audience=Audience.SELF, **SOAK),
        play.roll(*LOST, audience=Audience.GM),
        play.roll(*LOST, by=play.gm, audience=Audience.GM, character=play.vesper.pk),
        make_roll(
            play.mo,
            StorytellerInput(character=play.silas.pk, dice=5),
            audience=Audience.TABLE,
            key=uuid4(),
            faces=LOST,
        ),
        play.roll(*LOST, audience=Audience.SELF),
    ]
    sessions.end_session(play.gm, key=uuid4())
    return rolls, scene


def test_after_everything_that_can_be_done_about_a_roll(play):
    rolls, scene = an_evening(play)
    late = play.roll(*LOST, **SOAK)
    keep_counts()
    things = (
        lambda: amend.void_roll(play.gm, rolls[2].pk, key=uuid4()),
        lambda: amend.reveal_roll(play.gm, rolls[3].pk, key=uuid4()),
        lambda: amend.correct_roll(play.gm, rolls[1].pk, {"difficulty": 4, "note": None}, key=uuid4()),
        lambda: refile(play.gm, late.event.uid, scene, key=uuid4()),
        lambda: refile(play.gm, late.event.uid, None, key=uuid4()),
        lambda: change_settings(play.gm, RollSettings((Settings(tens_count_twice=True),)), key=uuid4()),
        lambda: change_settings(play.gm, RollSettings(), key=uuid4()),
        lambda: play.roll(9, 8, 8, 8, 5),
        lambda: bank_burn(play.mo, play.burn("offered").pk, key=uuid4()),
        lambda: play.roll(*LOST, by=play.other),
        lambda: sessions.start_session(play.gm, "Second", key=uuid4()),
        lambda: play.roll(2, 5, 5, 5, 5),
        lambda: amend.void_roll(play.gm, late.pk, key=uuid4()),
    )
    for happens in things:
        happens()
        found = same_as_anew(play)
    assert found["gm", "{}"].lines != found["mo", "{}"].lines != found["nobody", "{}"].lines


def test_an_npc_that_is_hidden_afterwards_is_named_no_more(play):
    play.roll(*WON, by=play.gm, character=play.vesper.pk)
    keep_counts()
    assert "Vesper" in str(pages(play)["mo", "{}"])
    play.vesper.shown = False
    play.vesper.save()
    found = same_as_anew(play)
    assert "Vesper" in str(found["gm", "{}"]) and "Vesper" not in str(found["mo", "{}"])


def test_what_gms_do_among_themselves_changes_nothing_for_players(play):
    an_evening(play)
    keep_counts()
    before = pages(play)
    hidden = play.roll(*WON, by=play.gm, audience=Audience.GM, character=play.vesper.pk)
    amend.void_roll(play.gm, hidden.pk, key=uuid4())
    play.roll(*LOST, by=play.gm, audience=Audience.GM)
    after = same_as_anew(play)
    assert {page: found for page, found in after.items() if page[0] != "gm"} == {
        page: found for page, found in before.items() if page[0] != "gm"
    }
    assert before["gm", "{}"] != after["gm", "{}"]


@pytest.fixture
def read(monkeypatch):
    """Return the list of all rolls that were read."""
    found = []

    def noted(*args, **kwargs):
        for roll in rolled(*args, **kwargs):
            found.append(roll)
            yield roll

    rolled = snapshots.rolled
    monkeypatch.setattr(snapshots, "rolled", noted)
    return found


def test_only_what_is_new_is_read(play, read):
    an_evening(play)
    statistics(viewer(play, "gm"), {})
    assert len(read) == 8
    keep_counts()
    statistics(viewer(play, "gm"), {})
    assert len(read) == 8
    play.roll(*WON)
    statistics(viewer(play, "gm"), {})
    assert len(read) == 9


def test_a_roll_taken_back_has_no_more_counted_again_than_came_after_it(play, read):
    an_evening(play)
    last = play.roll(*WON)
    play.roll(*LOST, kind="soak")
    keep_counts()
    read.clear()
    amend.void_roll(play.gm, last.pk, key=uuid4())
    statistics(viewer(play, "gm"), {})
    assert len(read) == 1


def test_few_are_kept(play, monkeypatch):
    monkeypatch.setattr(services, "KEPT", 3)
    for _ in range(5):
        play.roll(*LOST, kind="soak")
        keep_counts()
    assert StatisticsSnapshot.objects.filter(audience="gm").count() == 3
    same_as_anew(play)


def test_a_night_makes_them_for_everybody_where_there_is_something_new_and_throws_away_what_holds_no_more(play):
    play.roll(*LOST, kind="soak")
    undone = play.roll(*WON)
    assert keep_counts() == 2 * StatisticsSnapshot.objects.values("audience").distinct().count()
    assert keep_counts() == 0
    amend.void_roll(play.gm, undone.pk, key=uuid4())
    assert keep_counts() == 0
    assert not StatisticsSnapshot.objects.filter(upto=undone.event_id).exists()
    assert StatisticsSnapshot.objects.filter(audience="gm").count() == 1


def test_reading_writes_nothing(play):
    play.roll(*WON)
    with CaptureQueriesContext(connection) as queries:
        statistics(viewer(play, "gm"), {})
    assert all(query["sql"].startswith("SELECT") for query in queries)


def test_the_queries_do_not_grow_with_the_rolls(play):
    def asked():
        keep_counts()
        with CaptureQueriesContext(connection) as queries:
            statistics(viewer(play, "mo"), {})
        return len(queries)

    play.roll(*WON)
    first = asked()
    for _ in range(5):
        play.roll(*LOST, kind="soak")
    assert asked() == first


def test_only_the_last_sessions_are_told_apart(play, monkeypatch):
    monkeypatch.setattr(tallies, "SESSIONS", 2)
    for title in ("First", "Second", "Third"):
        session = sessions.start_session(play.gm, title, key=uuid4())
        play.roll(*WON, kind="soak")
        sessions.end_session(play.gm, key=uuid4())
        keep_counts()
    found = same_as_anew(play)["mo", "{}"]
    assert list(found.choices["session"]) == ["2", str(session.number)]
    assert found.lines[0].startswith("3 of 3")
    # Its own page still shows it.
    assert statistics(viewer(play, "mo"), {"session": "1"}).lines[0].startswith("1 of 1")


def test_another_version_counts_anew(play):
    play.roll(*WON)
    keep_counts()
    assert StatisticsSnapshot.objects.exists()
    services.forget_counts(apps)
    assert not StatisticsSnapshot.objects.exists()
