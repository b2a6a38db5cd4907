"""Exports of the log: as this viewer may see it, whole or filtered, in batches, so that no length is too long.

Every format is a generator of text, oldest first. Events during the export are not in it.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import tzinfo
from typing import Any

from django.db.models import Max, prefetch_related_objects
from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import pgettext, pgettext_lazy

from campaigns import chain
from campaigns.kinds import kind_of, result_words, topics
from campaigns.live.render import escaped, render_body, to_markdown, to_text
from campaigns.models import Event, Viewer
from campaigns.models.log import place_of
from campaigns.models.members import GM, TABLE
from campaigns.queries.log_lines import everything, in_batches, lines_of
from campaigns.queries.search import EVERYTHING, LogFilters, find

BATCH = 500  # events read at once

# A spreadsheet takes a cell that begins so for a formula, the wide ones of East Asian keyboards too.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
BETWEEN = "between"
COLUMNS = (
    pgettext_lazy("column of an export", "when"),
    pgettext_lazy("column of an export", "session"),
    pgettext_lazy("column of an export", "scene"),
    pgettext_lazy("column of an export", "who"),
    pgettext_lazy("column of an export", "what"),
    pgettext_lazy("column of an export", "outcome"),
    pgettext_lazy("column of an export", "rules"),
    pgettext_lazy("column of an export", "for"),
    pgettext_lazy("column of an export", "words"),
)


def found(viewer: Viewer, filters: LogFilters) -> Iterator[Event]:
    """Yield the wanted events that this viewer may see, oldest first, each in its fullest version."""
    filters, last = replace(filters, oldest_first=True), _last(viewer)
    beyond: Event | None = None
    while batch := find(viewer, filters, beyond, BATCH):
        prefetch_related_objects(batch, "session", "scene", "filing__scene__session", "index")
        for event in batch:
            if event.pk > last:
                return
            yield event
        beyond = batch[-1]


def as_jsonl(viewer: Viewer, filters: LogFilters) -> Iterator[str]:
    """Yield lines that can be checked offline (docs/fairdice.md). Events that are filtered out appear as bare links of
    the chain.
    """
    whole = replace(filters, oldest_first=False) == EVERYTHING
    said = everything if whole else _chosen(event.pk for event in found(viewer, filters))
    walked = _Walk(viewer)
    for line in lines_of(walked, viewer.campaign, said):
        beside = walked.beside() if "payload" in line else {}
        yield json.dumps(line | beside) + "\n"


def as_csv(viewer: Viewer, filters: LogFilters) -> Iterator[str]:
    """Yield a table for a spreadsheet in the reader's language. No cell is a formula: what would be begins with an apostrophe."""
    # Spreadsheets part columns as their language does: where numbers have a comma, by semicolons.
    writer = csv.writer(_Echo(), quoting=csv.QUOTE_ALL, delimiter=pgettext("between columns of a spreadsheet", ","))
    # Without this mark spreadsheets take it for text of another century.
    yield "\ufeff" + writer.writerow([str(column) for column in COLUMNS])
    for event in found(viewer, filters):
        if text := to_text(render_body(event, viewer.role)):
            yield writer.writerow([harmless(cell) for cell in _cells(event, text)])


def harmless(cell: str) -> str:
    """Return a cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell.lstrip(" ").startswith(FORMULA) else cell


def as_markdown(viewer: Viewer, filters: LogFilters, zone: tzinfo) -> Iterator[str]:
    """Yield a text to read or to go on writing from."""
    yield f"# {escaped(viewer.campaign.name)}\n"
    for headings, event, moment in _read(viewer, filters, zone):
        text = to_markdown(render_body(event, viewer.role))
        if text:
            yield "".join(f"\n{'#' * depth} {escaped(words)}\n" for depth, words in headings)
            if not _is_heading(text, [escaped(words) for _, words in headings]):
                yield f"\n*{moment}* {text}\n"


def as_page(viewer: Viewer, filters: LogFilters, zone: tzinfo) -> Iterator[str]:
    """Yield a page for paper: one HTML document without scripts, in our own stylesheet."""
    around = render_to_string("campaigns/export/page.html", {"campaign": viewer.campaign, "between": BETWEEN})
    # From the end: a name may hold whatever it likes.
    begin, __, end = around.strip().rpartition(BETWEEN)
    yield begin
    for headings, event, moment in _read(viewer, filters, zone):
        text = to_text(render_body(event, viewer.role))
        if text:
            paragraphs = [] if _is_heading(text, [words for _, words in headings]) else text.splitlines()
            context = {"headings": headings, "event": event, "moment": moment, "paragraphs": paragraphs}
            yield render_to_string("campaigns/export/entry.html", context)
    yield end


def _read(viewer: Viewer, filters: LogFilters, zone: tzinfo) -> Iterator[tuple[list[tuple[int, str]], Event, str]]:
    """Yield events to be read one after the other: the headings ((depth, words)) that begin before it, the event, its time of
    day."""
    place: tuple[Any, ...] = (None, None, None)
    for event in found(viewer, filters):
        at = event.at.astimezone(zone)
        session, scene = place_of(event)
        here = (at.date(), session, scene)
        words = (date_format(at, "DATE_FORMAT"), str(session or ""), str(scene or ""))
        # What lies in something else is named again in each: headings skip no level, also after midnight.
        headings = [(nth + 2, words[nth]) for nth in range(3) if words[nth] and here[: nth + 1] != place[: nth + 1]]
        yield headings, event, f"{at:%H:%M}"
        place = here


def _is_heading(text: str, headings: Sequence[str]) -> bool:
    """Return whether an event says no more than the last heading before it, as that of a new scene does."""
    return text in headings[-1:]


def _cells(event: Event, text: str) -> list[str]:
    entry, (session, scene) = event.index, place_of(event)
    return [
        chain.moment(event.at),
        str(session or ""),
        str(scene or ""),
        event.actor_name,
        str(topics()[entry.topic]),
        result_words(entry.system, entry.outcome, event.payload.get("outcome")) if entry.outcome else "",
        entry.system,
        {TABLE: _("everyone"), GM: _("only GMs")}.get(event.stream.name, _("one member and GMs")),
        text,
    ]


def _last(viewer: Viewer) -> int:
    return Event.objects.seen_by(viewer).aggregate(last=Max("pk"))["last"] or 0


@dataclass
class _Walk:
    """All events of a viewer's streams in order; `at` is the current one."""

    viewer: Viewer
    at: Event | None = None

    def __iter__(self) -> Iterator[Event]:
        events = Event.objects.seen_by(self.viewer).filter(pk__lte=_last(self.viewer))
        beside = ("stream", "stored", "actor", "session", "scene", "parent__stream")
        for self.at in in_batches(events.select_related(*beside)):
            yield self.at

    def beside(self) -> dict[str, Any]:
        """Return a line's fields beyond those that its hash binds, which let another server show it as it is here."""
        event = self.at
        assert event is not None  # noqa: S101  # for mypy: asked for only while it walks
        parent = event.parent
        seen = parent is not None and (self.viewer.streams is None or parent.stream.name in self.viewer.streams)
        return {
            "uid": str(event.uid),
            "session": event.session.number if event.session else None,
            "scene": event.scene.number if event.scene else None,
            "amends": {"stream": parent.stream.name, "seq": parent.seq} if parent and seen else None,
        }


def _chosen(ids: Iterator[int]) -> Callable[[Event], bool]:
    """Return a function that says whether an event is among those of an ascending row of ids, or always said; events have to be
    asked for in that order, too."""
    upcoming = next(ids, None)

    def said(event: Event) -> bool:
        nonlocal upcoming
        while upcoming is not None and upcoming < event.pk:
            upcoming = next(ids, None)
        return upcoming == event.pk or kind_of(event.kind).always_exported

    return said


class _Echo:
    """A file for the csv writer that returns what is written."""

    def write(self, text: str) -> str:
        return text
