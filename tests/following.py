"""Whoever follows a table from the start sees what a page loaded afterwards shows: what differs, for one who looks."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable
from itertools import groupby

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language

from campaigns.access import viewer_of
from campaigns.live.campaign_feed import Readers, frames_of
from campaigns.models import Campaign, Event
from tests.cast import Person
from tests.dom import Node, apply, parse

FILLED = (
    "feed",
    "scales",
    "offers",
    "clocks",
    "storylines",
    "burns",
    "requests",
    "procedures",
    "tokens",
    "waiting",
    "own-claims",
    "major-burns",
)
"""The elements into which events are put."""


def followed_and_reloaded(person: Person, campaign: Campaign) -> tuple[set[str], set[str]]:
    """Return the ids that events touch and a reload shows, and those that look different after a reload: that which events
    put or left out, too, and what stands there twice.

    The page has to show the whole feed (`campaigns.views.log.PAGE`).
    """
    page = _page(person, campaign)
    reloaded = page.by_ids()
    # Whoever rolled in private has the card of a roll that was shown to all later at both lines.
    twice = {name for name, times in Counter(page.ids()).items() if times > 1 and not name.startswith("roll-")}
    # Scales are there before any event.
    boxes = (page.by_id(name) for name in FILLED if name != "scales")
    filled = {name for box in boxes if box for name in box.ids()}
    followed = _empty(_page(person, campaign))
    touched = follow(followed, person, campaign)
    return touched & reloaded.keys(), differing(touched, followed, page) | twice | (filled - followed.by_ids().keys())


def follow(page: Node, person: Person, campaign: Campaign, since: int = 0) -> set[str]:
    """Put into an open page what a person is sent after an event, and return the ids that it touches."""
    touched = set()
    viewer = viewer_of(person.user, {}, campaign.slug)
    readers = Readers(viewer.role, get_language() or settings.LANGUAGE_CODE)
    there = Event.objects.seen_by(viewer).filter(id__gt=since).order_by("id").with_related().select_related("campaign")
    for _, operation in groupby(there, key=lambda event: event.at):
        for frame in frames_of(list(operation), [readers]):
            parcel = plain(json.loads(frame.texts[readers])["html"])
            touched.update(parse(parcel).ids())
            apply(page, parcel)
    return touched


def differing(names: Iterable[str], live: Node, reloaded: Node) -> set[str]:
    """Return the ids of what looks different on two pages."""
    ours, theirs = live.by_ids(), reloaded.by_ids()
    return {name for name in names if str(ours.get(name)) != str(theirs.get(name))}


def _page(person: Person, campaign: Campaign) -> Node:
    html = person.client.get(reverse("table", args=[campaign.slug])).content.decode()
    return parse(plain(html))


def plain(html: str) -> str:
    """Return HTML without the keys that every drawing, and live.js, makes new."""
    return re.sub(r'(name="key")( value="[^"]*")?', r"\1", html)


def _empty(page: Node) -> Node:
    """Return the page as it was before anything happened."""
    for container in FILLED:
        if found := page.by_id(container):
            found.children.clear()
    return page
