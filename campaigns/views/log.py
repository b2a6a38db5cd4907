"""Show what happened: the feed of the table page, the log with its filters, and single events among their neighbours."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo
from typing import Any, cast
from uuid import UUID

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict, StreamingHttpResponse
from django.middleware.gzip import GZipMiddleware
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString
from django.utils.text import compress_sequence
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import id_or_none, member_view, request_key
from campaigns.errors import Invalid, NotFound, existing
from campaigns.events import EVENT_REFILED, PICTURE_SEEN, PICTURE_SHOWN, place_words
from campaigns.forms.log import (
    LONGEST_ID,
    AmendForm,
    DayForm,
    LogFilter,
    RefileForm,
    Sessions,
    gaps,
    last_visit,
)
from campaigns.live.cards import card_with, cards_of
from campaigns.live.render import render_card, render_card_with, render_line
from campaigns.models import Event, GameSession, Role, Scene, Viewer, Written
from campaigns.models.log import place_of
from campaigns.models.play import now_of
from campaigns.queries import export
from campaigns.queries.log_lines import heads, newest
from campaigns.queries.search import EVERYTHING, OLDEST_FIRST, LogFilters, find
from campaigns.replica import carried, reads_past
from campaigns.services import log_entries as moments
from campaigns.services import members as visits
from campaigns.services.log_entries import amend_words, last_words, may_amend, may_refile, refile
from campaigns.templatetags.look import newest_amendment
from campaigns.views.answers import page_of_list, tried

PAGE = 50  # events
BESIDE = 8  # events before and after the one that a permalink names
FROM = "from"  # in an address: the event after which the page begins


@dataclass(frozen=True)
class Feed:
    """A page of lines, oldest first, ready rendered; `older_url` is where those before it are, "" if there are none, and
    `seen` the uids of its showings that the viewer has had on screen, on whatever device.
    """

    lines: list[SafeString]
    older_url: str
    seen: list[str]


@dataclass(frozen=True)
class Line:
    """A line of the log, ready rendered. `day` is set where another day, or a time `between` sessions, begins or ends; `here` for
    the one that a permalink names."""

    html: SafeString
    day: date | None = None
    between: str = ""
    here: bool = False


@dataclass(frozen=True)
class SpineSession:
    """A session beside the log, with its scenes and the time `after` it, in words, if it is the one shown; `current` if the
    address names it."""

    session: GameSession
    scenes: Sequence[Scene]
    after: str
    current: bool


@dataclass(frozen=True)
class Spine:
    """Sessions, newest first; `shown` is the one whose totals are shown beside the log, `scene` the selected one."""

    sessions: Sequence[SpineSession]
    shown: GameSession | None
    scene: int | None


def feed(viewer: Viewer, before: Event | None = None) -> Feed:
    """Return the last lines that a viewer may see, or those before an event. The number of queries does not depend on their
    number."""
    events = newest(viewer, PAGE + 1) if before is None else _before(viewer, before)
    older = reverse("older", args=[viewer.campaign.slug, events[PAGE - 1].uid]) if len(events) > PAGE else ""
    page = events[:PAGE][::-1]
    lines = [html for _, html in _told(viewer, page)]
    return Feed(lines, older, list(_seen_showings(viewer, events)))


def _told(viewer: Viewer, events: Sequence[Event]) -> Iterator[tuple[Event, SafeString]]:
    """Yield what these events leave on a page: a line, or where its first event stands, the card of all that belongs to it."""
    cards = cards_of(events, Event.objects.seen_by(viewer))
    if viewer.is_gm:
        Written.objects.mark_undoable(viewer.campaign, [*events, *itertools.chain.from_iterable(cards.values())])
    for event in events:
        card = card_with(event, cards, viewer.role)
        if card is None:
            html = render_line(event, viewer.role)
        elif card.inside or card.events[0].uid != event.uid:
            continue
        else:
            aside = next((one for one in cards[card.id] if one.stream_id != event.stream_id), None)
            own = card_with(aside, cards, viewer.role) if aside else None
            html = render_card_with(card, own, viewer.role) if own else render_card(card, viewer.role)
        if html:
            yield event, html


def _seen_showings(viewer: Viewer, events: Iterable[Event]) -> Iterator[str]:
    me = viewer.membership and viewer.membership.number
    for event in events:
        told = newest_amendment(event, PICTURE_SEEN) if event.kind == PICTURE_SHOWN else None
        if told and told.is_readable and me in (person["member"] for person in told.payload["seen_by"]):
            yield str(event.uid)


def _before(viewer: Viewer, event: Event) -> list[Event]:
    earlier = Event.objects.seen_by(viewer).before(event.pk).with_related()
    events = list(earlier.deduplicated(viewer)[: PAGE + 1])
    for other in events:
        other.campaign = viewer.campaign
    return events


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def older(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    """Show the lines before an event, in the place of the button that asked for them. Hidden events answer 404."""
    page = feed(viewer, _event(viewer, uid))
    return render(request, "campaigns/_older.html", {"lines": page.lines, "older_url": page.older_url})


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def log(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the log, filtered as the address says. Asked for by the button at the end of a page, only what comes after that
    page."""
    visits.look(viewer)
    form = LogFilter(viewer, request.GET)
    beyond = _event(viewer, request.GET[FROM]) if FROM in request.GET else None
    events = find(viewer, form.wanted, beyond, PAGE + 1) if form.is_valid() else []
    further = _address(request.GET, **{FROM: str(events[PAGE - 1].uid)}) if len(events) > PAGE else ""
    page = events[:PAGE]
    # What was searched for stands by itself.
    searched = bool({field.name for field in form.chosen} - {"session", "scene", "between"})
    told = _each(viewer, page) if searched else _told(viewer, page)
    context = {
        "viewer": viewer,
        "lines": list(_lines(told, beyond, sessions=form.sessions)),
        "further": further,
        "form": form,
    }
    context["searched"] = searched
    context |= _around(viewer, form, request.GET)
    status = 200 if form.is_valid() else 422
    return page_of_list(request, "campaigns/log.html", "campaigns/_log_lines.html", context, status)


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def log_event(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    """Show one event with those around it. Hidden events answer 404."""
    event = _event(viewer, uid)
    before, after = find(viewer, EVERYTHING, event, BESIDE), find(viewer, OLDEST_FIRST, event, BESIDE)
    around = [*reversed(before), event, *after]
    context = {
        "viewer": viewer,
        "event": event,
        "amendable": not viewer.is_read_only and may_amend(event, viewer.by),
        "movable": not viewer.is_read_only and may_refile(event, viewer.by),
        "place": " · ".join(str(part) for part in place_of(event) if part),
        "lines": list(_lines(_each(viewer, around), here=event)),
        "earlier": f"?{FROM}={around[0].uid}" if len(before) == BESIDE else "",
        "later": f"?order=oldest&{FROM}={around[-1].uid}" if len(after) == BESIDE else "",
    }
    return render(request, "campaigns/log_event.html", context)


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def log_day(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Go to the first event of a day or, where nothing has happened since, to the last one before it."""
    form = DayForm(request.GET)
    if not form.is_valid():
        return redirect("log", viewer.campaign.slug)
    start = form.start
    nearest = find(viewer, LogFilters(since=start, oldest_first=True), None, 1) or find(
        viewer, LogFilters(until=start), None, 1
    )
    if not nearest:
        return redirect("log", viewer.campaign.slug)
    return redirect(f"{reverse('log_event', args=[viewer.campaign.slug, nearest[0].uid])}#event-{nearest[0].uid}")


def _event(viewer: Viewer, uid: UUID | str) -> Event:
    """Return an event that this viewer may see, in its fullest version. Raises NotFound for others, and for invalid uids."""
    wanted = existing(id_or_none(uid))
    events = Event.objects.seen_by(viewer).deduplicated(viewer).with_related().select_related("campaign")
    return existing(events.filter(uid=wanted).first())


def _each(viewer: Viewer, events: Sequence[Event]) -> Iterator[tuple[Event, SafeString]]:
    """Return events each with its own line, those that leave none left out."""
    if viewer.is_gm:
        Written.objects.mark_undoable(viewer.campaign, events)
    return ((event, html) for event in events if (html := render_line(event, viewer.role)))


def _lines(
    told: Iterable[tuple[Event, SafeString]],
    beyond: Event | None = None,
    here: Event | None = None,
    sessions: Sessions = (),
) -> Iterator[Line]:
    """Yield the lines of a page. `beyond` is the last event of the page before."""
    words = gaps(sessions)

    def when(event: Event) -> tuple[date, str]:
        day, moved = timezone.localtime(event.at).date(), newest_amendment(event, EVENT_REFILED)
        if event.session_id or (moved and moved.is_readable and moved.payload["now"]["session"]):
            return day, ""
        before = next((session.number for session, _scenes in sessions if session.started_at <= event.at), 0)
        return day, words.get(before, "")

    began = when(beyond) if beyond else None
    for event, html in told:
        day, between = when(event)
        yield Line(html, day if began != (day, between) else None, between, here=event == here)
        began = day, between


def _around(viewer: Viewer, form: LogFilter, fields: QueryDict) -> dict[str, object]:
    """Return the context above the lines: `chips` ((words, address without that filter)), `turned` (the address of the same
    in the other order), the viewer's last visit, and `query`, the filters for further addresses.
    """
    chips = [(form.words_for(field), _address(fields, **{field.name: "", FROM: ""})) for field in form.chosen]
    filters = _address(fields, **{FROM: "", "order": ""})[1:]
    return {
        "spine": _spine(form),
        "turned": _address(fields, order="" if fields.get("order") == "oldest" else "oldest", **{FROM: ""}),
        "chips": chips,
        "last_visit": last_visit(viewer),
        "query": f"&{filters}" if chips else "",
    }


def _spine(form: LogFilter) -> Spine:
    sessions, words = form.sessions, gaps(form.sessions)
    wanted, scene, between = (form.data.get(name) for name in ("session", "scene", "between"))
    shown = None
    for session, scenes in sessions:
        if str(session.pk) == wanted or scene in {str(other.pk) for other in scenes} or str(session.number) == between:
            shown = session
    shown = shown or (sessions[0][0] if sessions else None)
    return Spine(
        sessions=[
            SpineSession(session, scenes, words.get(session.number, ""), str(session.pk) == wanted)
            if session == shown
            else SpineSession(session, (), "", current=False)
            for session, scenes in sessions
        ],
        shown=shown,
        scene=int(scene) if scene and scene.isdecimal() and len(scene) < LONGEST_ID else None,
    )


def _address(fields: QueryDict, **changed: str) -> str:
    """Return the query of an address with some of it changed; "" removes a part. It always begins with a question mark."""
    wanted = fields.copy()
    for name, value in changed.items():
        wanted.pop(name, None)
        if value:
            wanted[name] = value
    return f"?{wanted.urlencode()}"


@require_POST
@member_view(Role.PLAYER)
def moment_pin(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    """Pin a moment. Not every page with such a line follows the table, so the answer itself shows that it is done."""
    session = moments.pin(viewer.by, uid, key=request_key(request))
    if getattr(request, "htmx", None):
        return render(request, "campaigns/_pin.html", {"uid": uid, "pinned": True, "done": True})
    return redirect("session", viewer.campaign.slug, session.number)


@require_POST
@member_view(Role.PLAYER)
def moment_unpin(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    moments.unpin(viewer.by, uid, key=request_key(request))
    return redirect("log_event", viewer.campaign.slug, uid)


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def log_amend(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    if request.method == "POST":
        request_key(request)  # without one it is refused, whatever it is about
    event = Event.objects.seen_by(viewer).select_related("stored").filter(uid=uid).order_by("pk").first()
    if event is None or viewer.membership is None or not may_amend(event, viewer.membership):
        raise NotFound
    form = AmendForm(request.POST or None, initial={"words": last_words(event)})
    status = tried(request, form, lambda: amend_words(viewer.by, uid, **form.cleaned_data, key=request_key(request)))
    if not status:
        return redirect(f"{reverse('log_event', args=[viewer.campaign.slug, uid])}#event-{uid}")
    return render(request, "campaigns/amend.html", {"viewer": viewer, "form": form, "event": event}, status=status)


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def log_refile(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    if request.method == "POST":
        request_key(request)  # without one it is refused, whatever it is about
    events = (
        Event.objects.seen_by(viewer).deduplicated(viewer).select_related("session", "scene", "filing__scene__session")
    )
    event = events.filter(uid=uid).first()
    if event is None or viewer.membership is None or not may_refile(event, viewer.membership):
        raise NotFound
    form = RefileForm(event, place_words(now_of(event.session, event.scene)), request.POST or None)
    status = tried(request, form, lambda: _refile(request, viewer, uid, form))
    if not status:
        return redirect(f"{reverse('log_event', args=[viewer.campaign.slug, uid])}#event-{uid}")
    context = {"viewer": viewer, "form": form, "event": event, "place": place_words(now_of(*place_of(event)))}
    return render(request, "campaigns/refile.html", context, status=status)


def _refile(request: HttpRequest, viewer: Viewer, uid: UUID, form: RefileForm) -> None:
    refile(viewer.by, uid, form.chosen, reason=form.cleaned_data["reason"], key=request_key(request))


# The log to take away, as files and as a page for paper.


CHUNK = 32_768  # characters that are sent at once, at least
JSONL = "application/jsonl; charset=utf-8"
LONGEST_NUMBER = 15  # digits

Form = Callable[[Viewer, LogFilters, tzinfo], Iterator[str]]

# By the name in the address: the writer, the title, and the file extension; "" for a page.
FORMS: dict[str, tuple[Form, str, str]] = {
    "jsonl": (lambda viewer, wanted, zone: export.as_jsonl(viewer, wanted), JSONL, "jsonl"),
    "csv": (lambda viewer, wanted, zone: export.as_csv(viewer, wanted), "text/csv; charset=utf-8", "csv"),
    "markdown": (export.as_markdown, "text/markdown; charset=utf-8", "md"),
    "page": (export.as_page, "text/html; charset=utf-8", ""),
}


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def log_export(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Send the log in the form that `as` names, filtered as the log's own page is. Raises Invalid for filters that cannot be."""
    filters = LogFilter(viewer, request.GET)
    chosen = request.GET.get("as", "jsonl")
    if chosen not in FORMS:
        raise Invalid(_("The log can’t be exported in this format. Go back and choose one."), field="as")
    if not filters.is_valid():
        raise Invalid(_("One of the filters can’t be used. Go back to the log to see which."))
    return exported(request, viewer, filters.wanted, chosen)


def exported(request: HttpRequest, viewer: Viewer, wanted: LogFilters, form: str) -> HttpResponse:
    """Return the log as far as it is wanted, in one of the FORMS."""
    write, kind, ending = FORMS[form]
    part = "" if wanted in (EVERYTHING, OLDEST_FIRST) else "-part"
    # Read now: by the time it is written, the reader's language and time zone are no longer set.
    text = _in_language(get_language(), write(viewer, wanted, timezone.get_current_timezone()))
    return streamed(request, text, kind, ending and f"{viewer.campaign.slug}-log{part}.{ending}")


def _in_language(language: str | None, text: Iterator[str]) -> Iterator[str]:
    """Yield the pieces of a text, each of them written in this language."""
    while True:
        with override(language):
            piece = next(text, None)
        if piece is None:
            return
        yield piece


@require_GET
@member_view(Role.SPECTATOR)
def chain(request: HttpRequest, viewer: Viewer) -> JsonResponse:
    """Return the state of each stream that this viewer sees, as `heads` does; kept numbers are in the query (`?table=12`)."""
    names = (name for name in request.GET if name.isprintable())
    numbers = {name: int(kept) for name in names if _is_number(kept := request.GET.get(name, ""))}
    answer = JsonResponse(heads(viewer, numbers))
    answer["Cache-Control"] = "no-store"
    return answer


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER


def streamed(request: HttpRequest, text: Iterator[str], kind: str, name: str) -> HttpResponse:
    """Return text of a content type, as a file of this name; "" for a page. Only the reader may cache it."""
    return sent(request, _chunks(text), kind, name)


def sent(request: HttpRequest, chunks: Iterator[bytes], kind: str, name: str) -> HttpResponse:
    """Return the same of bytes, in pieces worth sending."""
    pieces: Iterator[bytes] = carried(chunks)
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    if packed:
        # The middleware would pack each piece of an asynchronous answer by itself: browsers read the first, and no further.
        pieces = compress_sequence(pieces, max_random_bytes=GZipMiddleware.max_random_bytes)
    answer = StreamingHttpResponse(_as_served(request, pieces), content_type=kind)
    patch_vary_headers(answer, ("Accept-Encoding",))
    if packed:
        answer["Content-Encoding"] = "gzip"
    if name:
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    # Its class is a sibling of HttpResponse; middleware and server handle both.
    return cast(HttpResponse, answer)


def _chunks(text: Iterator[str]) -> Iterator[bytes]:
    """Yield the same in pieces worth sending."""
    held: list[str] = []
    size = 0
    for piece in text:
        held.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield "".join(held).encode()
            held, size = [], 0
    yield "".join(held).encode()


def _as_served(request: HttpRequest, pieces: Iterator[bytes]) -> Any:
    """Return an iterator for the server: Django reads a plain one whole before sending it over ASGI, and an
    asynchronous one over WSGI.
    """
    return _stepwise(pieces) if isinstance(request, ASGIRequest) else pieces


async def _stepwise(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    step = sync_to_async(lambda: next(pieces, None))
    while (piece := await step()) is not None:
        yield piece
