"""Whoever follows a table from the start sees what a page loaded afterwards shows: for every event kind, for every role."""

from __future__ import annotations

from itertools import product

from campaigns.kinds import kinds
from campaigns.live.render import render_live
from campaigns.models import Event, Role
from campaigns.views import log
from tests.following import followed_and_reloaded
from tests.rolls.steps import without_the_database


def test_the_played_campaign_holds_every_kind_of_event(played):
    assert set(Event.objects.values_list("kind", flat=True)) == {*kinds()}


VIEWERS = ("gm", "player", "other_player", "spectator")
SHOWN_TO_ALL = {"card", "event", "state", "end", "scale", "clock", "storyline", "burn", "major", "offer", "procedure"}


def test_following_shows_what_reloading_shows(played, cast, monkeypatch):
    monkeypatch.setattr(log, "PAGE", 10_000)
    for who in VIEWERS:
        shown, differing = followed_and_reloaded(getattr(cast, who), cast.campaign)
        assert not differing, f"{who} sees other than after a reload"
        waits = set() if who == "spectator" else {"waits"}
        assert {name.split("-")[0] for name in shown} >= SHOWN_TO_ALL | waits, who


def test_no_event_asks_the_database_for_what_it_shows(played):
    # Two kinds draw the line of a Burn again, with all that has become of it.
    drawn = Event.objects.exclude(kind__in=["scale.oracle_marked", "scale.burn_taken_back"])
    events = list(drawn.with_related().select_related("campaign"))
    with without_the_database():
        assert [render_live(event, role) for event, role in product(events, Role)]
