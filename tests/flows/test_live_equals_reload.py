"""Whoever follows a table from the start sees what a page loaded afterwards shows: for every event kind, for every role."""

from __future__ import annotations

import re
from pathlib import Path

from django.urls import reverse

from campaigns.access import seat_of
from campaigns.live.render import render_live
from campaigns.models import Event
from campaigns.views import log
from tests.dom import Node, apply, parse

KINDS = {
    f"{path.parts[-3]}.{path.stem}"
    for path in (Path(__file__).parents[2] / "templates").glob("*/events/*.html")
    if not path.stem.startswith("_")
}


def test_the_played_campaign_holds_every_kind_of_event(played):
    assert set(Event.objects.values_list("kind", flat=True)) == KINDS


VIEWERS = ("gm", "player", "other_player", "spectator")
SHOWN_TO_ALL = {"event", "state", "end", "scale", "clock", "storyline", "burn", "major", "offer"}


def test_following_shows_what_reloading_shows(played, cast, monkeypatch):
    monkeypatch.setattr(log, "PAGE", 10_000)
    for who in VIEWERS:
        person = getattr(cast, who)
        seat = seat_of(person.user, {}, cast.campaign.slug)
        reloaded = _by_id(_page(person, cast))
        followed, touched = _empty(_page(person, cast)), set()
        for event in Event.objects.seen_by(seat).order_by("id").whole().select_related("campaign"):
            parcel = _plain(render_live(event, seat.role))
            touched.update(parse(parcel).ids())
            apply(followed, parcel)
        shown = _by_id(followed)
        differing = {name for name in touched if str(shown.get(name)) != str(reloaded.get(name))}
        assert not differing, f"{who} sees other than after a reload"
        assert {name.split("-")[0] for name in touched if name in reloaded} >= SHOWN_TO_ALL, who


def _page(person, cast) -> Node:
    html = person.client.get(reverse("table", args=[cast.campaign.slug])).content.decode()
    return parse(_plain(html))


def _plain(html: str) -> str:
    """Without the keys that every drawing gets anew, and live.js gives anew as well."""
    return re.sub(r'(name="key")( value="[^"]*")?', r"\1", html)


def _empty(page: Node) -> Node:
    """The page as it was before anything happened: with nothing in what events are put into."""
    for container in ("feed", "scales", "offers", "clocks", "storylines", "burns", "requests", "major-burns"):
        if found := page.by_id(container):
            found.children.clear()
    return page


def _by_id(page: Node) -> dict[str, Node]:
    return {name: node for node in page.walk() if (name := node.attrs.get("id"))}
