"""Whoever follows a table from the start sees what a page loaded afterwards shows: what differs, for one who looks."""

from __future__ import annotations

import json
import re
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
    """Return the ids that events touch and a reload shows, and those of them that look different after a reload.

    The page has to show the whole feed (`campaigns.views.log.PAGE`).
    """
    viewer = viewer_of(person.user, {}, campaign.slug)
    reloaded = _by_id(_page(person, campaign))
    followed, touched = _empty(_page(person, campaign)), set()
    readers = Readers(viewer.role, get_language() or settings.LANGUAGE_CODE)
    there = Event.objects.seen_by(viewer).order_by("id").with_related().select_related("campaign")
    for _, operation in groupby(there, key=lambda event: event.at):
        for frame in frames_of(list(operation), [readers]):
            parcel = _plain(json.loads(frame.texts[readers])["html"])
            touched.update(parse(parcel).ids())
            apply(followed, parcel)
    shown = _by_id(followed)
    differing = {name for name in touched if str(shown.get(name)) != str(reloaded.get(name))}
    return {name for name in touched if name in reloaded}, differing


def _page(person: Person, campaign: Campaign) -> Node:
    html = person.client.get(reverse("table", args=[campaign.slug])).content.decode()
    return parse(_plain(html))


def _plain(html: str) -> str:
    """Return HTML without the keys that every drawing, and live.js, makes new."""
    return re.sub(r'(name="key")( value="[^"]*")?', r"\1", html)


def _empty(page: Node) -> Node:
    """Return the page as it was before anything happened."""
    for container in FILLED:
        if found := page.by_id(container):
            found.children.clear()
    return page


def _by_id(page: Node) -> dict[str, Node]:
    return {name: node for node in page.walk() if (name := node.attrs.get("id"))}
