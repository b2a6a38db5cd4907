"""The page of one session, and its recap by a GM."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods

from campaigns.access import id_or_none, member_view, request_key
from campaigns.errors import NotFound, existing
from campaigns.forms.play import MemoryForm, RecapForm
from campaigns.live.presence import follow
from campaigns.live.render import render_line
from campaigns.models import GameSession, Role, Viewer
from campaigns.queries.dates import next_dates
from campaigns.queries.play import memories, memory_of, pins_of, remembers_still
from campaigns.replica import reads_past
from campaigns.services import members as visits
from campaigns.services import play
from campaigns.views.answers import beside, tried
from campaigns.views.log import JSONL, streamed
from characters.queries.in_play import faces_of, own_of
from characters.queries.ledger import claimable, open_claims
from people.middleware import keep
from rolls.context import of_session
from rolls.models import Procedure
from rolls.queries.checking import lines_of_session
from rolls.queries.recaps import recap_draft
from rolls.queries.sessions import beginning, missed, moments, told
from rolls.queries.statistics import tally_of
from rolls.registry import procedures_of


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def session(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Show a session, as this viewer may see it. A browser that only asks to keep it (js/service-worker.js) is no visit."""
    if "X-Keep" not in request.headers:
        visits.look(viewer)
    if not viewer.is_read_only:
        keep(request)
    return _shown(request, viewer, _session(viewer, number))


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def session_remember(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Write the one sentence by which the viewer remembers a session, on its page."""
    current = _session(viewer, number)
    form = _memory_form(viewer, current, request.POST or None)
    status = tried(
        request, form, lambda: play.remember(viewer.by, current, **form.cleaned_data, key=request_key(request))
    )
    if not status:
        return redirect(f"{reverse('session', args=[viewer.campaign.slug, number])}#remembered")
    if status == 409:
        now = memory_of(current, viewer.by)
        beside(form, {"words": now}, play.memory_version(now))
    return _shown(request, viewer, current, form, status)


def _memory_form(viewer: Viewer, session: GameSession, data: Any = None) -> MemoryForm:
    words = memory_of(session, viewer.by)
    return MemoryForm(data, initial={"words": words, "expected": play.memory_version(words)})


def _shown(
    request: HttpRequest, viewer: Viewer, current: GameSession, form: MemoryForm | None = None, status: int = 200
) -> HttpResponse:
    following = follow(viewer)
    known = told(viewer, current)
    removable = pins_of(viewer, current)
    faces = faces_of(viewer)
    portraits = {face["owner"]: face for face in reversed(faces)}
    moments = [(event.uid, render_line(event, Role.SPECTATOR), event.uid in removable) for event in known.moments]
    writes = viewer.role.at_least(Role.PLAYER) and not viewer.is_read_only and not viewer.campaign.archived_at
    newest = remembers_still(current)
    recap = play.recap_of(current)
    if form is None and writes and newest:
        form = _memory_form(viewer, current)
    settled_now = writes and newest
    mine = own_of(viewer) if settled_now and not viewer.is_gm else []
    context = {
        "viewer": viewer,
        "role": viewer.role.value,
        "session": current,
        "told": known,
        "who": [(member, portraits.get(member.pk)) for member in known.who],
        "faces": faces,
        **of_session(viewer, current),
        "moments": [moment for moment in moments if moment[1]],
        "recap": recap,
        "drafted": recap_draft(viewer, current) if viewer.is_gm and current.ended_at and not recap.draft else None,
        "memories": [(portraits.get(member.pk, ""), member, event) for member, event in memories(current).items()],
        "memory_form": form,
        "newest": newest,
        "mine": mine,
        "claimable": [character for character in mine if claimable(character)],
        "claims": open_claims(viewer) if settled_now else [],
        "settles": _settles(viewer) if settled_now else [],
        "dates": next_dates(viewer) if newest else [],
        **following,
        "missed": missed(viewer, current),
        "was_here": viewer.membership in known.who,
        "cover": next((scene.cover for scene in known.scenes if scene.cover), viewer.campaign.cover),
        "tally": tally_of(viewer, current),
    }
    return render(request, "rolls/session.html", context, status=status)


EXPERIENCE = "experience"
"""The kind of procedure, in games that have one, by which the experience of a session is settled."""


def _settles(viewer: Viewer) -> list[tuple[str, str, bool]]:
    """Return (game, label, whether it is open) of the procedures that settle experience and are open, or that this viewer may
    open."""
    here = Procedure.objects.filter(campaign=viewer.campaign, kind=EXPERIENCE, closed_at=None)
    under_way = set(here.values_list("system", flat=True))
    return [
        (system, rules.label, system in under_way)
        for system, kind, rules in procedures_of(viewer.campaign.systems)
        if kind == EXPERIENCE and (system in under_way or viewer.role.at_least(rules.opened_by))
    ]


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def session_totals(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Show the totals of a session, beside the log."""
    current = _session(viewer, number)
    context = {"session": current, **of_session(viewer, current), "tally": tally_of(viewer, current)}
    return render(request, "rolls/_session_totals.html", {"viewer": viewer, **context})


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def recap(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Write on the recap: `publish` in the form shows it to all."""
    current = _session(viewer, number)
    now = play.recap_of(current)
    first = {"draft": now.draft or recap_draft(viewer, current).words, "expected": play.recap_version(now)}
    form = RecapForm(request.POST or None, initial=first)
    status = tried(request, form, lambda: _write(request, viewer, current, form))
    if not status:
        return redirect("session", viewer.campaign.slug, number)
    if status == 409:
        now = play.recap_of(current)
        beside(form, {"draft": now.draft}, play.recap_version(now))
    context = {"viewer": viewer, "session": current, "form": form, "recap": now}
    return render(request, "rolls/recap.html", context, status=status)


def _write(request: HttpRequest, viewer: Viewer, current: GameSession, form: RecapForm) -> None:
    play.write_recap(
        viewer.by,
        current,
        form.cleaned_data["draft"],
        publish="publish" in request.POST,
        expected=form.cleaned_data["expected"],
        key=request_key(request),
    )


def _session(viewer: Viewer, number: int) -> GameSession:
    current = GameSession.objects.filter(campaign=viewer.campaign, number=number).prefetch_related("scenes").first()
    if current is None:
        raise NotFound
    return current


# A finished session, played again on the table's own components. Nothing can be done there.


AFTER = "after"  # in an address: the event after which the page begins


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def replay(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Return the table as it was when a session began, and what plays the session on it."""
    session = _finished(viewer, number)
    context = {
        "viewer": viewer,
        "session": session,
        "beginning": beginning(viewer, session),
        **of_session(viewer, session),
        "events_url": reverse("replay_events", args=[viewer.campaign.slug, number]),
        # The head of the page is that evening's, too.
        "now": {"session": str(session), "scene": ""},
    }
    return render(request, "rolls/replay.html", context)


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def replay_events(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Return a page of a session: {"moments": [{"uid", "at", "html", "roll", "scene"}], "further": where the next page is, or
    ""}."""
    shown, last = moments(viewer, _finished(viewer, number), _after(request))
    further = f"{request.path}?{AFTER}={last}" if last else ""
    answer = JsonResponse({"moments": [asdict(moment) for moment in shown], "further": further})
    answer["Cache-Control"] = "no-store"
    return answer


def _after(request: HttpRequest) -> UUID | None:
    if AFTER not in request.GET:
        return None
    return existing(id_or_none(request.GET[AFTER]))


def _finished(viewer: Viewer, number: int) -> GameSession:
    """Raises NotFound while the session is being played: the table shows it."""
    return existing(GameSession.objects.filter(campaign=viewer.campaign, number=number).exclude(ended_at=None).first())


# Checking a session in the reader's own browser.


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def verify(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Return the page that checks a session, and says what that proves."""
    session = _ended_session(viewer, number)
    lines_url = reverse("session_lines", args=[viewer.campaign.slug, number])
    return render(request, "rolls/verify.html", {"viewer": viewer, "session": session, "lines_url": lines_url})


@require_GET
@reads_past()
@member_view(Role.SPECTATOR)
def session_lines(request: HttpRequest, viewer: Viewer, number: int) -> HttpResponse:
    """Send the events of a session that this viewer may see, one JSON object a line."""
    text = (f"{json.dumps(line)}\n" for line in lines_of_session(viewer, _ended_session(viewer, number)))
    return streamed(request, text, JSONL, f"{viewer.campaign.slug}-session-{number}.jsonl")


def _ended_session(viewer: Viewer, number: int) -> GameSession:
    return existing(GameSession.objects.filter(campaign=viewer.campaign, number=number).first())
