"""Invitations and the spectator link: for the GM, and the pages for people who follow one."""

from __future__ import annotations

import re
from uuid import UUID

import segno
from allauth.account.adapter import get_adapter
from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import WATCHING, member_view, request_key, token_hash, viewer_by_link
from campaigns.errors import existing
from campaigns.forms.members import InvitationForm
from campaigns.models import Boundaries, Invitation, Membership, Role, Viewer
from campaigns.services import campaigns as watching
from campaigns.services import invitations as services
from campaigns.views.answers import tried
from people.adapter import INVITED
from people.context import person_of

TOKEN = re.compile(r"[\w-]{8,200}")


@never_cache
@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def invitations(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the page of links, or their form in the table's dialog. The answer to making one shows it, once: only its
    hash is stored.
    """
    form = InvitationForm(viewer.campaign, request.POST or None)
    if request.method != "POST":
        return _page(request, viewer, form)
    key = request_key(request)
    status = tried(request, form, lambda: services.invite(viewer.by, _role(form), **_limits(form), key=key))
    if status:
        return _page(request, viewer, form, status=status)
    link = request.build_absolute_uri(reverse("join", args=[services.invitation_token(key)]))
    return _page(request, viewer, InvitationForm(viewer.campaign), new_link=link, new_role=_role(form).value)


@require_POST
@member_view(Role.GM)
def invitation_revoke(request: HttpRequest, viewer: Viewer, invitation_id: UUID) -> HttpResponse:
    invitation = existing(Invitation.objects.filter(campaign=viewer.campaign, pk=invitation_id).first())
    services.revoke_invitation(viewer.by, invitation, key=request_key(request))
    messages.success(request, _("Invitation revoked."))
    return redirect("invitations", viewer.campaign.slug)


@never_cache
@require_POST
@member_view(Role.GM)
def spectator_link(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Switch the link on (`on` is "1"; always a new link) or off."""
    key = request_key(request)
    if request.POST.get("on") != "1":
        watching.stop_watching(viewer.by, key=key)
        messages.success(request, _("Spectator link turned off."))
        return redirect("invitations", viewer.campaign.slug)
    viewer.campaign.watch_hash = watching.start_watching(viewer.by, key=key).watch_hash
    watch_link, overlay_link = (
        request.build_absolute_uri(reverse(page, args=[watching.watch_token(key)])) for page in ("watch", "overlay")
    )
    form = InvitationForm(viewer.campaign)
    return _page(request, viewer, form, watch_link=watch_link, overlay_link=overlay_link)


@require_GET
def join_link(request: HttpRequest) -> HttpResponse:
    """Redirect to the invitation of a pasted link or token (`link` in the query string)."""
    token = request.GET.get("link", "").strip().rstrip("/").rpartition("/")[2]
    if not TOKEN.fullmatch(token):
        messages.error(request, _("This isn’t an invitation link. Copy the whole link your GM sent you."))
        return redirect("home")
    return redirect("join", token)


@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the campaign to everyone with the link, and let signed-in users join."""
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        member = services.join(person_of(request), token, key=request_key(request))
        plays = member.role == Role.PLAYER
        return redirect(member.campaign.newcomers_url if plays else member.campaign.url)
    mine = _my_seat(request, token)
    if mine:
        return render(request, "campaigns/joined.html", {"member": mine})
    invitation = services.open_invitation(token, person_of(request) if request.user.is_authenticated else None)
    if not request.user.is_authenticated:
        request.session[INVITED] = True
    context = {
        "invitation": invitation,
        "seated": Membership.objects.active().filter(campaign=invitation.campaign).count(),
        "merged": Boundaries.objects.merged(invitation.campaign),
        "can_sign_up": get_adapter(request).is_open_for_signup(request),
    }
    return render(request, "campaigns/join.html", context)


@never_cache
@require_GET
def watch(request: HttpRequest, token: str) -> HttpResponse:
    """Remember in the session that the visitor came by the spectator link, and redirect to the table."""
    campaign = viewer_by_link(token).campaign
    request.session[WATCHING] = request.session.get(WATCHING, {}) | {str(campaign.pk): campaign.watch_hash}
    return redirect(campaign.url)


def _my_seat(request: HttpRequest, token: str) -> Membership | None:
    """Return the visitor's membership at the link's table, even if the link no longer works; None if they are not a member."""
    if not request.user.is_authenticated:
        return None
    here = Membership.objects.active().select_related("campaign").filter(user=person_of(request))
    return here.filter(campaign__invitations__token_hash=token_hash(token)).first()


def _qr_code(link: str) -> SafeString:
    """Draw a link for the camera of a phone, as SVG without a size of its own."""
    drawn = segno.make(link, micro=False).svg_inline(
        border=3, omitsize=True, light="#fff", svgclass="qr-code", lineclass=None
    )
    return mark_safe(drawn)  # noqa: S308  # nothing of the link stands in it but squares


def _role(form: InvitationForm) -> Role:
    return Role(form.cleaned_data["role"])


def _limits(form: InvitationForm) -> dict[str, int | None]:
    return {"days": form.cleaned_data["days"], "uses": form.cleaned_data["uses"]}


def _page(
    request: HttpRequest, viewer: Viewer, form: InvitationForm, *, status: int = 200, **links: str
) -> HttpResponse:
    if link := links.get("new_link"):
        links["qr_code"] = _qr_code(link)
    if getattr(request, "htmx", None):
        return render(request, "campaigns/_invite_desk.html", {"viewer": viewer, "form": form, **links}, status=status)
    made = Invitation.objects.filter(campaign=viewer.campaign, revoked_at=None).select_related("made_by__user")
    now = timezone.now()
    good = [invitation for invitation in made.order_by("-made_at") if invitation.is_good(now)]
    context = {"viewer": viewer, "form": form, "invitations": good, **links}
    return render(request, "campaigns/invitations.html", context, status=status)
