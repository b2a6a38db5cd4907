"""The page of notices, for one campaign or all, and what browsers and mail programs ask of it."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core import signing
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.access import member_view
from campaigns.errors import Invalid, InvalidForm
from campaigns.models import Membership, Role, Viewer
from notices import messages as sent
from notices import push
from notices.forms import DeviceForm, HoursForm, WaysForm
from notices.leaving import DEVICE
from notices.models import Choice, Device, Preferences, Way
from notices.sources import SOURCES
from people.context import person_of
from people.devices import name_of
from people.models import User


@never_cache
@require_http_methods(["GET", "POST"])
@login_required
def notices(request: HttpRequest) -> HttpResponse:
    """Show and change what holds for all campaigns that have no choice of their own."""
    return _page(request, person_of(request), None)


@never_cache
@require_http_methods(["GET", "POST"])
@member_view(Role.SPECTATOR)
def campaign_notices(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show and change what holds for one campaign. A GM who previews it as somebody sees their own choice."""
    member = viewer.real or viewer.by
    return _page(request, person_of(request), member)


def _page(request: HttpRequest, user: User, member: Membership | None) -> HttpResponse:
    person = Preferences.objects.filter(pk=user.pk).first() or Preferences(user=user)
    choice = Choice.objects.filter(member=member).first() if member else None
    does = request.POST.get("do", "")
    ways = _ways_here(member)
    chosen = {kind: person.ways_for(kind, choice) for kind in SOURCES}
    grid = WaysForm(request.POST if does == "ways" else None, ways=ways, chosen=chosen)
    hours = HoursForm(request.POST if does == "hours" else None, instance=person)
    form = {"ways": grid, "hours": hours}.get(does)
    if request.method == "POST" and (form is None or form.is_valid()):
        with transaction.atomic():
            Preferences.objects.get_or_create(user=user)
            _press(request, person, member, grid.result if does == "ways" else {})
        return redirect("campaign_notices", member.campaign.slug) if member else redirect("notices")
    devices = list(user.devices.all())
    context = {
        "ways": grid,
        "hours": hours,
        "member": member,
        "choice": choice,
        "address": sent.mail_address(user),
        "has_mail": sent.has_mail(),
        "devices": devices,
        "here": next((device for device in devices if str(device.pk) == request.session.get(DEVICE)), None),
        "host_key": push.coded(push.point(push.host_key().public_key())),
        "members": _listed(user),
        "words": SOURCES["waits"].says([""]),
    }
    return render(request, "notices/notices.html", context, status=422 if form else 200)


def _ways_here(member: Membership | None) -> list[Way]:
    there = {Way.MAIL: sent.has_mail(), Way.DISCORD: member is None or sent.discord_of(member.campaign) is not None}
    return [way for way in Way if there.get(way, True)]


def _listed(user: User) -> list[Membership]:
    mine = Membership.objects.active().filter(user=user, campaign__archived_at=None)
    return list(mine.select_related("campaign", "notice_choice").order_by("campaign__name", "pk"))


def _press(request: HttpRequest, person: Preferences, member: Membership | None, ways: dict[str, list[str]]) -> None:
    """Do what a button of the page does. Raises Invalid for one that it does not have."""
    own = Preferences.objects.filter(pk=person.pk)
    match request.POST.get("do"):
        case "ways" if member:
            Choice.objects.update_or_create(member=member, defaults={"ways": ways, "is_muted": False})
        case "ways":
            own.update(ways=ways)
        case "mute" if member:
            Choice.objects.update_or_create(member=member, defaults={"is_muted": True})
        case "default":
            Choice.objects.filter(member=member).delete()
        case "hours":
            # The end of the hours that were quiet before is none any more.
            person.next_at = None
            person.save(update_fields=[*HoursForm.Meta.fields, "next_at"])
        case "remove":
            for device in person.user.devices.all():
                if str(device.pk) == request.POST.get("device"):
                    device.delete()
        case "test":
            own.update(test_at=timezone.now(), test_of=member.campaign if member else None)
            messages.success(request, _("A test is on its way by everything that’s switched on here."))
            return
        case _unknown:
            raise Invalid(_("That button is no longer there. Reload the page."))
    messages.success(request, _("Saved."))


@require_POST
@login_required
def notices_device(request: HttpRequest) -> HttpResponse:
    """Keep this browser's subscription, from static/js/notices.js. Who subscribes it last has it."""
    form = DeviceForm(request.POST)
    if not form.is_valid():
        raise InvalidForm.by_form(form)
    user, given = person_of(request), form.cleaned_data
    Preferences.objects.get_or_create(user=user)
    values = {
        "user": user,
        "p256dh": given["p256dh"],
        "auth": given["auth"],
        "name": name_of(request.headers.get("User-Agent", "")),
    }
    device, _made = Device.objects.update_or_create(endpoint=given["endpoint"], defaults=values)
    # In place of what this browser was known by before.
    if earlier := request.session.get(DEVICE):
        user.devices.filter(pk=earlier).exclude(pk=device.pk).delete()
    kept = user.devices.order_by("-made_at").values("pk")[: Device.MOST]
    user.devices.exclude(pk__in=list(kept.values_list("pk", flat=True))).delete()
    request.session[DEVICE] = str(device.pk)
    return HttpResponse(status=204)


@csrf_exempt
@never_cache
@require_http_methods(["GET", "POST"])
def notices_off(request: HttpRequest, token: str) -> HttpResponse:
    """End all mail to a person, by the link in it: at a press of a mail program (RFC 8058), or of the button of this page."""
    try:
        person = Preferences.objects.filter(pk=signing.loads(token, salt=sent.SALT)).first()
    except signing.BadSignature:
        raise Http404 from None
    if request.method == "POST" and person:
        person.leave_out(Way.MAIL)
    return render(request, "notices/off.html", {"done": request.method == "POST"})
