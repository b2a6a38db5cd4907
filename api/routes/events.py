"""The log: searched with the filters of its page, exported, and stream by stream; and saying something at the table."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal
from uuid import UUID

from django.db import models
from django.db.models import QuerySet, prefetch_related_objects
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from ninja import Query, Schema
from pydantic import Field

from api import schemas
from api.bodies import Fields, filled, form_schema
from api.router import CampaignRouter, Limit
from campaigns.errors import Invalid, existing
from campaigns.forms.fields import valid
from campaigns.forms.log import LogFilter
from campaigns.forms.play import SayForm
from campaigns.live.render import BESIDE, event_data
from campaigns.models import Event, Role, Stream, Viewer
from campaigns.models.log import EventQuerySet, prefetch_amendments
from campaigns.models.members import GM, TABLE
from campaigns.models.play import Manner
from campaigns.queries.log_lines import lines_of
from campaigns.queries.search import LogFilters, find
from campaigns.views.log import exported
from characters.views.say import say_filled, say_form
from database.compiled import Parameter, compiled
from rolls.registry import commands_of
from rolls.services.undoing import undo_line
from rolls.slash import SlashError, Spoken, check_lines, command_of, is_roll, spoken

router = CampaignRouter(tags=["Events"])

FULLEST: Final = {GM: 0, TABLE: 2}
"""The ranks of streams by how much they tell of an event that is in several (EventQuerySet.deduplicated); those of
members are between these.
"""

SAID: Final = {"voice", "text", "to"}
"""The fields of a spoken line; pictures can only be sent from pages."""

LINE: Final = form_schema(SayForm, only=SAID) | {"required": ["text"]}

Words = Annotated[str, Field(max_length=200)]


class Filters(Schema):
    """Those of the log’s page."""

    words: Words = ""
    topic: Words = ""
    outcome: Words = ""
    who: Words = ""
    character: Words = ""
    session: Words = ""
    scene: Words = ""
    between: Words = ""
    clock: Words = ""
    storyline: Words = ""
    system: Words = ""
    order: Words = ""
    since: Words = ""
    until: Words = ""


@router.reads("/events", response=schemas.Events)
def events(viewer: Viewer, filters: Query[Filters], after: UUID | None = None, limit: Limit = 50) -> dict[str, Any]:
    """Search the log, newest first (or `order=oldest`). An event recorded in several streams is listed once. The
    filters are those of the log page; `after` is the `next` of the previous page.
    """
    found = find(viewer, _wanted(viewer, filters), _event(viewer, after) if after else None, limit + 1)
    page = found[:limit]
    return {"items": told(viewer, _link(page)), "next": str(page[-1].uid) if len(found) > limit else None}


@router.reads("/export", response={200: None})
def export(
    viewer: Viewer,
    filters: Query[Filters],
    request: HttpRequest,
    form: Literal["jsonl", "csv", "markdown", "page"] = "jsonl",
) -> HttpResponse:
    """Export the log, or the part that matches the filters, in one of the formats of the log page: `jsonl` for programs
    (with its proofs), `csv` for spreadsheets, `markdown`, or `page` for printing. It is sent as it is read."""
    return exported(request, viewer, _wanted(viewer, filters), form)


@router.writes("/lines", body=LINE, response=schemas.Event)
def say(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any] | None:
    """Say something at the table. `voice` is `player` to speak as yourself (the default), `character:` and an id to speak as
    your character, `narration` for GMs, or `whisper` to the members whose numbers are in `to`. The composer’s commands are
    refused."""
    _refuse_command(viewer, str(body.get("text", "")))

    def form(typed: QueryDict) -> SayForm:
        bound = say_form(viewer, typed)
        for name in bound.fields.keys() - SAID:
            del bound.fields[name]
        return bound

    said = say_filled(viewer, filled(form, {"voice": Manner.PLAYER.value, **body}), key)
    return told_of(viewer, said)


def _refuse_command(viewer: Viewer, text: str) -> None:
    """Raise Invalid for a text that is a command in the composer: a whisper would be said aloud."""
    ways = {Spoken.WHISPER: _("Send “voice”: “whisper”, and “to”."), Spoken.ASK: _("Send it to /requests.")}
    try:
        check_lines(text)
    except SlashError as error:
        raise Invalid(str(error), field="text") from None
    command = spoken(text)
    if command or is_roll(text, commands_of(viewer.campaign.systems)):
        way = ways.get(command, _("Send the words and their “voice”.")) if command else _("Send it to /rolls.")
        message = _("“{command}” is a command of the composer, so nothing was said. {way}")
        raise Invalid(message.format(command=command_of(text), way=way), field="text")


@router.reads("/events/{uid}", response=schemas.Event)
def event(viewer: Viewer, uid: UUID) -> dict[str, Any]:
    """Get one event, in the fullest version this token can see."""
    (one,) = told(viewer, [_event(viewer, uid)])
    return one


@router.writes("/events/{uid}/undo", Role.GM, response=schemas.Done)
def undo_event(viewer: Viewer, uid: UUID, key: UUID) -> dict[str, Any]:
    """Undo what an event tells, with all that followed: the last of a procedure, also of a finished one, of a clock, a sheet or a
    Scale. 409 says who has gone on since."""
    undo_line(viewer.by, uid, key=key)
    return {"id": str(uid)}


@router.reads("/streams", response=list[schemas.Stream])
def streams(viewer: Viewer) -> list[dict[str, Any]]:
    """List the streams this token can read, with the number each has reached."""
    here = _streams(viewer).order_by("name").values_list("name", "seq", "head")
    return [{"name": name, "seq": seq, "hash": head if seq else ""} for name, seq, head in here]


@router.reads("/streams/{stream}/events", response=schemas.Events)
def stream_events(
    viewer: Viewer,
    stream: Words,
    after: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0,
    limit: Limit = 100,
) -> dict[str, Any]:
    """List the events of one stream after the number `after`, oldest first."""
    page = list(_later(viewer, stream, after).with_related().linked().select_related("campaign")[: limit + 1])
    return {"items": told(viewer, page[:limit]), "next": str(page[limit - 1].seq) if len(page) > limit else None}


@router.reads("/streams/{stream}/lines", response=schemas.Lines)
def stream_lines(
    viewer: Viewer, stream: Words, after: Annotated[int, Field(ge=0, le=2**63 - 1)] = 0, limit: Limit = 200
) -> dict[str, Any]:
    """List the same events as lines of the export, from which hashes and dice can be checked. They are not drawn, so they
    cost the server little."""
    page = list(_later(viewer, stream, after).select_related("stream", "stored", "actor")[: limit + 1])
    items = list(lines_of(page[:limit], viewer.campaign))
    return {"items": items, "next": str(items[-1]["seq"]) if len(page) > limit else None}


def _wanted(viewer: Viewer, filters: Filters) -> LogFilters:
    form = valid(LogFilter(viewer, filters.model_dump()))
    return form.wanted


def told(viewer: Viewer, those: list[Event]) -> list[dict[str, Any]]:
    """Return events that this viewer may see, as the API sends them; they were read with `linked`."""
    prefetch_related_objects(those, *BESIDE)
    return [event_data(event, viewer.role) for event in those]


def told_of(viewer: Viewer, event: Event | None) -> dict[str, Any] | None:
    """Return an event as the API sends it; None if this viewer may not see it."""
    seen = _seen(viewer, event.uid) if event else None
    return told(viewer, [seen])[0] if seen else None


def _event(viewer: Viewer, uid: UUID) -> Event:
    return existing(_seen(viewer, uid))


def _seen(viewer: Viewer, uid: UUID) -> Event | None:
    """Return the fullest version of an event that this viewer may see; None without one. They are few, so they are
    filtered here.
    """
    tellings = _tellings.rows(campaign=viewer.campaign.pk, uid=uid)
    seen = [event for event in tellings if viewer.streams is None or event.stream.name in viewer.streams]
    event = min(seen, key=lambda telling: FULLEST.get(telling.stream.name, 1), default=None)
    if event:
        event.campaign = viewer.campaign
        prefetch_amendments([event])
    return event


@compiled(campaign=models.UUIDField(), uid=models.UUIDField())
def _tellings(campaign: Parameter, uid: Parameter) -> QuerySet[Event]:
    """Return the versions of an event with `with_related`, `linked` and BESIDE in one compiled query, since it runs for
    each API roll.
    """
    tellings = Event.objects.filter(campaign=campaign, uid=uid).order_by("pk")
    return tellings.with_stored().amended().linked().select_related("session", "scene")


def _link(events: list[Event]) -> list[Event]:
    """Add `prev` to events, as `linked` does."""
    before = {event.pk: event.prev for event in Event.objects.filter(pk__in=[event.pk for event in events]).linked()}
    for event in events:
        event.prev = before[event.pk]
    return events


def _later(viewer: Viewer, stream: str, after: int) -> EventQuerySet:
    """Return the events of a stream after a number, in order. Raises NotFound for a stream that this viewer may not see."""
    there = existing(_streams(viewer).filter(name=stream).first())
    return Event.objects.filter(stream=there, seq__gt=after).order_by("seq")


def _streams(viewer: Viewer) -> Any:
    streams = Stream.objects.filter(campaign=viewer.campaign)
    return streams if viewer.streams is None else streams.filter(name__in=viewer.streams)
