"""Whoever follows a table from the start sees what a page loaded afterwards shows: for every event kind, for every role."""

from __future__ import annotations

from campaigns.kinds import kinds
from campaigns.models import Event
from campaigns.views import log
from tests.following import followed_and_reloaded


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
