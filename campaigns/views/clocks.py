"""The clocks of a campaign: a page for everyone with each one's history, where the GM also makes them; and ticking."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from campaigns.access import id_or_none, member_view, request_key
from campaigns.clocks import MOST_TICKS
from campaigns.errors import NotFound, existing
from campaigns.forms.clocks import CardTickForm, ClockForm, ClockLineForm, NewClockForm, TickForm
from campaigns.forms.fields import valid
from campaigns.live.render import render_line
from campaigns.models import Clock, ClockTemplate, Event, Role, Viewer
from campaigns.queries.clocks import clock_at, clock_payload, may_tick, owners_of
from campaigns.services import clocks as services
from campaigns.services.clocks import clock_version, owner_key
from campaigns.views.answers import beside, done, formed, page_of_list, tried

PAGE = 20  # events
TICKS = re.compile(r"[0-9]{1,2}")


@require_GET
@member_view(Role.SPECTATOR)
def clocks(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    owners = owners_of(viewer.campaign)
    rows = [clock_payload(clock, owners, whole=viewer.is_gm) for clock in Clock.objects.seen_by(viewer).with_related()]
    context = {
        "viewer": viewer,
        "running": [row for row in rows if not row["archived"]],
        "archived": [row for row in rows if row["archived"]],
        "templates": ClockTemplate.objects.filter(campaign=viewer.campaign) if viewer.is_gm else [],
    }
    return render(request, "campaigns/clocks.html", context)


@require_GET
@member_view(Role.SPECTATOR)
def clock(request: HttpRequest, viewer: Viewer, clock_id: UUID) -> HttpResponse:
    """Show one clock and its history, newest first; `before` in the query string is the event to go on from."""
    current = clock_at(viewer, clock_id)
    events = Event.objects.seen_by(viewer).about(current.subject)
    before = events.filter(uid=_named(request.GET["before"])).first() if "before" in request.GET else None
    page = list(events.before(before.pk if before else None).with_related().select_related("campaign")[: PAGE + 1])
    context = {
        "viewer": viewer,
        "clock": clock_payload(current, owners_of(viewer.campaign), whole=viewer.is_gm),
        "lines": [line for line in (render_line(event, viewer.role) for event in page[:PAGE]) if line],
        "further": f"?before={page[PAGE - 1].uid}" if len(page) > PAGE else "",
    }
    return page_of_list(request, "campaigns/clock.html", "campaigns/_clock_history.html", context)


@require_http_methods(["GET", "POST"])
@vary_on_headers("HX-Request")
@member_view(Role.GM)
def clock_new(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Make a clock, by its form or by the line of the table; `template` in the query string names the one to start from."""
    if "line" in request.POST:
        typed = valid(ClockLineForm(request.POST)).cleaned_data["line"]
        services.make_clock(viewer.by, typed, key=request_key(request))
        return done(request, "clocks", viewer.campaign.slug)
    form = NewClockForm(viewer.campaign, request.POST or None, initial=_from_template(request, viewer))
    status = tried(request, form, lambda: _make(viewer, form, request_key(request)))
    if not status:
        return done(request, "clocks", viewer.campaign.slug)
    page, submit = "campaigns/clock_form.html", _("Save clock")
    return formed(request, form, page, {"viewer": viewer}, status, heading=_("New clock"), submit=submit)


@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def clock_edit(request: HttpRequest, viewer: Viewer, clock_id: UUID) -> HttpResponse:
    current = clock_at(viewer, clock_id)
    initial = _written(current) | {"expected": clock_version(current)}
    form = ClockForm(viewer.campaign, request.POST or None, clock=current, initial=initial)
    status = tried(request, form, lambda: _save(request, viewer, current, form))
    if not status:
        return redirect("clocks", viewer.campaign.slug)
    if status == 409:
        _beside(form, clock_at(viewer, clock_id))
    return render(
        request, "campaigns/clock_form.html", {"viewer": viewer, "form": form, "clock": current}, status=status
    )


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def clock_tick(request: HttpRequest, viewer: Viewer, clock_id: UUID) -> HttpResponse:
    """Tick a clock; GET shows the table page's form that asks for a reason."""
    if request.method == "GET":
        current = clock_at(viewer, clock_id)
        context = {"viewer": viewer, "clock": current, "form": TickForm(auto_id="clock-tick-%s")}
        return render(request, "campaigns/_clock_tick.html", context)
    form = valid(TickForm(request.POST))
    services.tick_clock(viewer.by, Clock(pk=clock_id), **form.cleaned_data, key=request_key(request))
    return done(request, "clocks", viewer.campaign.slug)


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def clock_card(request: HttpRequest, viewer: Viewer, uid: UUID) -> HttpResponse:
    """Ticking from the card of an event, such as a roll. GET: the form, with the clocks that this person may tick, and `ticks` of
    the query string if there are so many."""
    if not Event.objects.seen_by(viewer).filter(uid=uid).exists():
        raise NotFound
    owners = owners_of(viewer.campaign)
    running = Clock.objects.seen_by(viewer).running().with_related()
    mine = [clock for clock in running if may_tick(viewer.membership, clock, owners)]
    if request.method == "GET":
        form = CardTickForm(mine, auto_id=f"tick-{uid}-%s", initial={"ticks": _ticks(request)})
        return render(
            request, "campaigns/_tick_from_card.html", {"viewer": viewer, "uid": str(uid), "form": form, "clocks": mine}
        )
    form = valid(CardTickForm(mine, request.POST))
    services.tick_clock(viewer.by, **form.cleaned_data, source=uid, key=request_key(request))
    return done(request, "clocks", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def clock_move(request: HttpRequest, viewer: Viewer, clock_id: UUID) -> HttpResponse:
    return _do(request, viewer, clock_id, services.move_clock, up=request.POST.get("to") == "up")


@require_POST
@member_view(Role.GM)
def clock_archive(request: HttpRequest, viewer: Viewer, clock_id: UUID) -> HttpResponse:
    return _do(request, viewer, clock_id, services.archive_clock)


@require_POST
@member_view(Role.GM)
def clock_restore(request: HttpRequest, viewer: Viewer, clock_id: UUID) -> HttpResponse:
    return _do(request, viewer, clock_id, services.restore_clock)


@require_POST
@member_view(Role.GM)
def clock_keep(request: HttpRequest, viewer: Viewer, clock_id: UUID) -> HttpResponse:
    return _do(request, viewer, clock_id, services.keep_template)


@require_POST
@member_view(Role.GM)
def clock_template_drop(request: HttpRequest, viewer: Viewer, template_id: UUID) -> HttpResponse:
    services.drop_template(viewer.by, template_id, key=request_key(request))
    return done(request, "clocks", viewer.campaign.slug)


def _do(
    request: HttpRequest, viewer: Viewer, clock_id: UUID, operation: Callable[..., Any], **how: bool
) -> HttpResponse:
    operation(viewer.by, clock_at(viewer, clock_id), **how, key=request_key(request))
    return done(request, "clocks", viewer.campaign.slug)


def _template(viewer: Viewer, template_id: UUID) -> ClockTemplate:
    return existing(ClockTemplate.objects.filter(campaign=viewer.campaign, pk=template_id).first())


def _named(text: str) -> UUID:
    return existing(id_or_none(text))


def _ticks(request: HttpRequest) -> int:
    """Return the number of ticks in the query string, within what may be ticked at once; 1 if it names none."""
    named = request.GET.get("ticks", "")
    ticks = int(named) if TICKS.fullmatch(named) else 1
    return min(max(ticks, 1), MOST_TICKS)


def _from_template(request: HttpRequest, viewer: Viewer) -> dict[str, Any]:
    if "template" not in request.GET:
        return {}
    template = _template(viewer, _named(request.GET["template"]))
    names = ("name", "kind", "segments", "visibility", "rival_name", "rival_segments")
    return {name: getattr(template, name) for name in names}


def _make(viewer: Viewer, form: NewClockForm, key: UUID) -> None:
    services.make_clock(viewer.by, form.draft, rival=form.rival, filled=form.cleaned_data["filled"], key=key)


def _written(clock: Clock) -> dict[str, Any]:
    said = {name: getattr(clock, name) for name in ("name", "kind", "segments", "after", "visibility")}
    return said | {"owner": owner_key(clock)}


def _save(request: HttpRequest, viewer: Viewer, current: Clock, form: ClockForm) -> None:
    services.change_clock(
        viewer.by, current, form.draft, expected=form.cleaned_data["expected"], key=request_key(request)
    )


def _beside(form: ClockForm, now: Clock) -> None:
    """Add the current value at each field that was typed differently."""
    words = _written(now) | {
        "kind": now.get_kind_display(),
        "visibility": now.get_visibility_display(),
        "after": now.after.name if now.after else "",
        "owner": now.owner_name or now.get_owner_display(),
    }
    typed = form.cleaned_data
    differing = {name: str(words[name]) for name, value in _written(now).items() if typed.get(name) != value}
    beside(form, differing, clock_version(now))
