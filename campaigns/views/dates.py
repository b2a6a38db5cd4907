"""The dates of sessions: their page, their links in mail, and the calendar that people subscribe to."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.errors import ServiceError
from campaigns.forms.dates import FIELDS, AnswerForm, ProposalForm
from campaigns.forms.fields import valid
from campaigns.live.presence import follow
from campaigns.models import DateAnswer, Role, SessionDate, Viewer
from campaigns.queries.dates import calendar_address, calendar_of, dates_table, next_dates, read_answer, zone_here
from campaigns.services import dates as services
from campaigns.views.answers import done, tried
from people.middleware import language_of
from people.models import User, zone_of


@require_GET
@member_view(Role.SPECTATOR)
def dates(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the dates to come with everyone's answers. `part` in the query string asks for what the page, or a session's (`next`),
    shows of them now."""
    part = request.GET.get("part", "")
    if part == "next":
        return render(request, "campaigns/_next_dates.html", {"viewer": viewer, "dates": next_dates(viewer)})
    if part:
        return render(request, "campaigns/_dates.html", _table(viewer))
    return _page(request, viewer, _form(viewer))


@require_POST
@member_view(Role.GM)
def dates_propose(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    form, key = _form(viewer, request.POST), request_key(request)
    status = tried(request, form, lambda: services.propose_dates(viewer.by, **form.proposal, key=key))
    return _page(request, viewer, form, status) if status else redirect("dates", viewer.campaign.slug)


@require_POST
@member_view(Role.PLAYER)
def date_answer(request: HttpRequest, viewer: Viewer, date_id: UUID) -> HttpResponse:
    answer = valid(AnswerForm(request.POST)).cleaned_data["answer"]
    services.answer_date(viewer.by, SessionDate(pk=date_id), answer, key=request_key(request))
    return done(request, "dates", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def date_set(request: HttpRequest, viewer: Viewer, date_id: UUID) -> HttpResponse:
    """Set a date, or with `off` cancel it."""
    on, seen = "off" not in request.POST, request.POST.get("expected", "")
    services.set_date(viewer.by, SessionDate(pk=date_id), on=on, expected=seen, key=request_key(request))
    return done(request, "dates", viewer.campaign.slug)


@require_POST
@member_view(Role.GM)
def date_withdraw(request: HttpRequest, viewer: Viewer, date_id: UUID) -> HttpResponse:
    services.withdraw_date(viewer.by, SessionDate(pk=date_id), key=request_key(request))
    return done(request, "dates", viewer.campaign.slug)


def _form(viewer: Viewer, data: Any = None) -> ProposalForm:
    user = viewer.membership.user if viewer.membership else None
    return ProposalForm(data, zone=user.time_zone if user else "UTC")


def _table(viewer: Viewer) -> dict[str, Any]:
    plan = services.set_version(viewer.campaign, timezone.now()) if viewer.is_gm else ""
    return {"viewer": viewer, "zone": zone_here(), "plan": plan, **dates_table(viewer)}


def _page(request: HttpRequest, viewer: Viewer, form: ProposalForm, status: int = 200) -> HttpResponse:
    following, typed = follow(viewer), request.POST.getlist("at")
    user = viewer.membership.user if viewer.membership and not viewer.is_read_only else None
    context = {
        **_table(viewer),
        "form": form,
        "typed": [*typed, *[""] * FIELDS][: max(FIELDS, len(typed))],
        "calendar": calendar_address(user) if user else "",
        **following,
    }
    return render(request, "campaigns/dates.html", context, status=status)


# The link of a mail, and the calendar: for people who are not signed in.


@never_cache
@require_http_methods(["GET", "POST"])
def date_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show what the link of a mail answers, in the language and time zone of whoever got it, and answer by its button: programs
    that look into mail follow links, but press none."""
    member, date, answer = read_answer(token)
    user = member.user or User()
    with timezone.override(zone_of(user.time_zone)), translation.override(language_of(user.language, request)):
        refused = ""
        if request.method == "POST":
            try:
                services.answer_date(member, date, answer, key=request_key(request))
                return redirect(request.path)
            except ServiceError as error:
                refused = error.message
        given = DateAnswer.objects.filter(date=date, member=member).first()
        context = {"member": member, "date": date, "answer": answer, "given": given, "key": uuid4(), "refused": refused}
        return render(request, "campaigns/date_link.html", context, status=409 if refused else 200)


@never_cache
@require_GET
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """Send a person's calendar to the program that knows its address."""
    return HttpResponse(calendar_of(token), content_type="text/calendar; charset=utf-8")


@require_POST
@member_view(Role.SPECTATOR)
def calendar_link(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Give one's calendar a new address, or with `off` none. The one before works no longer."""
    request_key(request)
    User.objects.filter(memberships=viewer.by).update(calendar_key=None if "off" in request.POST else uuid4())
    return redirect("dates", viewer.campaign.slug)
