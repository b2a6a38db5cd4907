"""Read what is known: the pages that a viewer may read, what leads from one to another, and where the log names them."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import Final, NamedTuple
from urllib.parse import quote
from uuid import UUID

from django.db.models import prefetch_related_objects
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from campaigns.clocks import ClockKind
from campaigns.errors import NotFound
from campaigns.kinds import Topic
from campaigns.models import Clock, Event, EventIndex, EventSubject, Storyline, Viewer
from campaigns.queries.search import LogFilters, find
from campaigns.templatetags.look import to_html
from campaigns.text import as_read, folded
from characters.models import Character
from characters.models.values import FIELD_COLUMNS
from languages.letters import fold
from world.events import PAGE_NOTED, PAGE_WRITTEN
from world.models import LINK, Page, PageKind, unlinked


def all_pages(viewer: Viewer) -> list[Page]:
    """Return all pages that a viewer may read, by name; those about characters and factions' clocks on which nobody has written,
    too, without a row.
    """
    seen = Character.objects.seen_by(viewer).select_related(None).prefetch_related(None).defer(*FIELD_COLUMNS)
    characters = {one.pk: one for one in seen}
    # Most are nobody's, and most pages are about none: joined to all of them, what they have would be read a thousand times.
    prefetch_related_objects([one for one in characters.values() if one.owner_id], "owner__user")
    about = {None, *characters}
    written = [page for page in Page.objects.read_by(viewer).select_related(None) if page.character_id in about]
    prefetch_related_objects([page for page in written if page.clock_id], "clock")
    for page in written:
        if page.character_id:
            page.character = characters[page.character_id]
    there = {page.pk for page in written}
    people = [_of_character(one) for one in characters.values() if one.pk not in there]
    clocks = Clock.objects.seen_by(viewer).running().filter(kind=ClockKind.FACTION)
    factions = [_of_clock(clock) for clock in clocks if clock.pk not in there]
    pages = [*written, *people, *factions]
    for page in pages:
        page.campaign = viewer.campaign
        if page.character:
            page.character.campaign = viewer.campaign
    return sorted(pages, key=lambda page: (fold(page.name), str(page.pk)))


def find_page(viewer: Viewer, page_id: UUID) -> Page:
    """Return a page, of which there may be no row. Raises NotFound where the viewer may not know of it."""
    page = Page.objects.read_by(viewer).filter(pk=page_id).first()
    if page is None:
        character = Character.objects.seen_by(viewer).filter(pk=page_id).first()
        clock = Clock.objects.seen_by(viewer).filter(pk=page_id, kind=ClockKind.FACTION).first()
        if character is None and clock is None:
            raise NotFound
        page = _of_character(character) if character else _of_clock(clock)
    page.campaign = viewer.campaign
    return page


def _of_character(one: Character) -> Page:
    kind = PageKind.FACTION if one.is_crew else PageKind.PERSON
    return Page(id=one.pk, campaign_id=one.campaign_id, kind=kind, name=one.name, character=one)


def _of_clock(clock: Clock | None) -> Page:
    assert clock  # noqa: S101  # for mypy
    return Page(id=clock.pk, campaign_id=clock.campaign_id, kind=PageKind.FACTION, name=clock.name, clock=clock)


# Links from one page to another


_IN_HTML: Final = re.compile(rf"<(code|pre|a)\b.*?</\1>|{LINK.pattern}", re.DOTALL)


class Link(NamedTuple):
    """A link in a note: its `name`, the `page` of this name, if there is one, and the `words` around it."""

    name: str
    page: Page | None
    words: str


class Names:
    """The pages that a viewer may read, by all their names."""

    def __init__(self, viewer: Viewer) -> None:
        self.viewer, self.pages = viewer, all_pages(viewer)
        self._by_name: dict[str, Page] = {}
        for page in self.pages:
            for name in page.names:
                self._by_name.setdefault(_key(name), page)

    def find(self, name: str) -> Page | None:
        """Return the page of this name."""
        return self._by_name.get(_key(name))

    def html(self, note: str) -> SafeString:
        """Return the safe HTML of a note in Markdown, with its links: to pages, or to where one can be made."""
        drawn = _IN_HTML.sub(self._drawn, to_html(as_read(note)))
        return mark_safe(drawn)  # noqa: S308  # links are made by format_html, all else by to_html

    def _drawn(self, match: re.Match[str]) -> str:
        if match[1]:
            return match[0]
        name = html.unescape(match[2]).strip()
        words = html.unescape(match[3] or match[2]).strip()
        if page := self.find(name):
            return format_html('<a href="{}">{}</a>', page.url, words)
        made_at = f"{reverse('pages', args=[self.viewer.campaign.slug])}?name={quote(name)}#page-line"
        return format_html('<a class="unwritten" href="{}">{}</a>', made_at, words)

    def linked(self, note: str) -> list[Link]:
        """Return the links of a note, the first to each page."""
        links: dict[object, Link] = {}
        for match in LINK.finditer(note):
            name, page = match[1].strip(), self.find(match[1])
            links.setdefault(page.pk if page else _key(name), Link(name, page, _around(match)))
        return list(links.values())

    def linking(self, to: Page) -> list[Link]:
        """Return the first link to a page from each other, as far as the viewer may read them."""
        return [
            Link(page.name, page, _around(match))
            for page in self.pages
            if page.pk != to.pk and (match := self._first_link(page, to))
        ]

    def _first_link(self, page: Page, to: Page) -> re.Match[str] | None:
        links = LINK.finditer(f"{page.note}\n{page.gm_note if self.viewer.is_gm else ''}")
        return next((match for match in links if (found := self.find(match[1])) and found.pk == to.pk), None)


_MARKS: Final = re.compile(r"[*_`#]|^> ?", re.MULTILINE)
BESIDE: Final = 40
"""Letters of a note that are shown before a link, and after it."""


def _around(match: re.Match[str]) -> str:
    before, after = (
        _MARKS.sub("", unlinked(part)) for part in (match.string[: match.start()], match.string[match.end() :])
    )
    before, after = before.rpartition("\n")[2], after.partition("\n")[0]
    if len(before) > BESIDE:
        before = "… " + before[-BESIDE:].partition(" ")[2]
    if len(after) > BESIDE:
        after = after[:BESIDE].rpartition(" ")[0] + " …"
    return f"{before}{match[2] or match[1]}{after}"


def _key(name: str) -> str:
    return " ".join(fold(name).split())


# Around a page: the log, storylines, clocks, and earlier versions


MOST_LINES: Final = 12
LOOKED_AT: Final = 60
"""Lines that have all words of a name, of which those are kept that name it."""


def names_it(words: str, names: Iterable[str]) -> bool:
    """Return whether one of these names stands in a text, as whole words."""
    text = f" {' '.join(folded(words))} "
    return any(f" {called} " in text for name in names if (called := " ".join(folded(name))))


def lines_about(viewer: Viewer, page: Page) -> list[Event]:
    """Return the newest entries of the log that name a page by one of its names, or in which it speaks or rolls, as far as this
    viewer may read them.
    """
    found = {event.pk: event for name in page.names for event in find(viewer, LogFilters(words=name), None, LOOKED_AT)}
    words = EventIndex.objects.filter(pk__in=found).values_list("pk", "words")
    named = {
        pk for pk, said in words if names_it(said, page.names) and found[pk].kind not in (PAGE_WRITTEN, PAGE_NOTED)
    }
    if page.character:
        for topic in (Topic.TALK, Topic.ROLL):
            acts = LogFilters(topic=topic, subjects=(page.character.subject.key,))
            found |= (own := {event.pk: event for event in find(viewer, acts, None, MOST_LINES)})
            named |= own.keys()
    return [found[pk] for pk in sorted(named, reverse=True)[:MOST_LINES]]


def storylines_about(viewer: Viewer, page: Page) -> list[Storyline]:
    """Return the open storylines that name a page in their titles, or belong to who plays the character that it is about."""
    plays = page.character.owner_id if page.character else None
    lines = Storyline.objects.of(viewer.campaign).open()
    return [one for one in lines if (plays and one.whose_id == plays) or names_it(one.title, page.names)]


def clocks_about(viewer: Viewer, page: Page) -> list[Clock]:
    """Return the running clocks that name a page, or are its character's or itself, as far as this viewer may know of them."""
    key = page.character.subject.key if page.character else ""
    clocks = Clock.objects.seen_by(viewer).running().with_related()
    return [
        one
        for one in clocks
        if one.pk == page.pk or (key and one.owner_subject == key) or names_it(one.name, page.names)
    ]


MOST_VERSIONS: Final = 50


def versions(viewer: Viewer, page: Page) -> list[Event]:
    """Return the events in which a page was written, newest first, as far as this viewer may read them."""
    keys = [page.subject.key, *([f"gm-{page.subject.key}"] if viewer.is_gm else [])]
    # Joined to their subjects, SQLite would walk through the whole log.
    about = EventSubject.objects.filter(key__in=keys).values("event")
    written = Event.objects.seen_by(viewer).filter(kind__in=(PAGE_WRITTEN, PAGE_NOTED), pk__in=about)
    events = list(written.select_related("stored", "campaign").order_by("-pk")[:MOST_VERSIONS])
    return [event for event in events if event.is_readable]
