"""Whoever follows a table from the start sees what a page loaded afterwards shows: for every event kind, for every role."""

from __future__ import annotations

from pathlib import Path

from django.urls import reverse

from campaigns.access import seat_of
from campaigns.live.render import render_live
from campaigns.models import Event
from campaigns.views import log
from tests.flows.dom import Page

KINDS = {
    f"{path.parts[-3]}.{path.stem}"
    for path in (Path(__file__).parents[2] / "templates").glob("*/events/*.html")
    if not path.stem.startswith("_")
}


def test_the_played_campaign_holds_every_kind_of_event(played):
    assert set(Event.objects.values_list("kind", flat=True)) == KINDS


VIEWERS = ("gm", "player", "other_player", "spectator")
SHOWN_TO_ALL = {"event", "state", "scale", "clock", "storyline", "burn", "major", "offer"}


def test_following_shows_what_reloading_shows(played, cast, monkeypatch):
    monkeypatch.setattr(log, "PAGE", 10_000)
    for who in VIEWERS:
        person = getattr(cast, who)
        seat = seat_of(person.user, {}, cast.campaign.slug)
        reloaded = Page(_html(person, cast))
        followed, touched = _empty(_html(person, cast)), set()
        for event in Event.objects.seen_by(seat).order_by("id").whole().select_related("campaign"):
            touched |= followed.apply(render_live(event, seat.role))
        differing = {element_id for element_id in touched if followed.find(element_id) != reloaded.find(element_id)}
        assert not differing, f"{who} sees other than after a reload"
        assert {element_id.split("-")[0] for element_id in touched if reloaded.find(element_id)} >= SHOWN_TO_ALL, who


def _html(person, cast) -> str:
    return person.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()


def _empty(html: str) -> Page:
    """The page as it was before anything happened: with nothing in what events are put into."""
    page = Page(html)
    for container in ("feed", "scales", "offers", "clocks", "storylines", "burns", "requests", "major-burns"):
        element = page.find(container)
        if element is not None:
            element.children.clear()
    return page
