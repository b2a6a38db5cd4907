"""Pages of the people at a table: their roles, and through whose eyes a GM looks."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import SEEING_AS, WATCHING, member_view, request_key, viewer_by_link
from campaigns.errors import Forbidden, Invalid, NotFound, ServiceError, existing
from campaigns.forms.members import InvitationForm, RoleForm, SeeAsForm, TokenForm
from campaigns.models import ApiToken, Invitation, Membership, Role, Viewer
from campaigns.services import campaigns as watching
from campaigns.services import members as services
from campaigns.services.erasing import erase_words
from campaigns.views.answers import tried
from languages.letters import fold
from people.devices import qr_code


@require_GET
@member_view(Role.SPECTATOR)
def members(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    return _page(request, viewer)


@require_POST
@member_view(Role.GM)
def member_role(request: HttpRequest, viewer: Viewer, member_id: int) -> HttpResponse:
    member, form = _member(viewer, member_id), RoleForm(request.POST)
    if not form.is_valid():
        return _page(request, viewer, {member.pk: _("Choose a role from the list.")}, status=422)
    role, seen = Role(form.cleaned_data["role"]), Role(form.cleaned_data["expected"])
    message = _("{name} is now {role}.").format(name=member.name, role=role.phrase)
    return _do(
        request,
        viewer,
        member,
        message,
        lambda: services.change_role(viewer.by, member, role, expected=seen, key=request_key(request)),
    )


@require_POST
@member_view(Role.GM)
def member_remove(request: HttpRequest, viewer: Viewer, member_id: int) -> HttpResponse:
    member = _member(viewer, member_id)
    message = _("{name} was removed from the campaign.").format(name=member.name)
    return _do(
        request, viewer, member, message, lambda: services.remove_member(viewer.by, member, key=request_key(request))
    )


@require_POST
@member_view(Role.GM)
def member_hand_over(request: HttpRequest, viewer: Viewer, member_id: int) -> HttpResponse:
    member = _member(viewer, member_id)
    message = _("{name} is now the GM, and you’re a player.").format(name=member.name)
    return _do(
        request, viewer, member, message, lambda: services.hand_over(viewer.by, member, key=request_key(request))
    )


@require_POST
@member_view(Role.SPECTATOR)
def member_erase(request: HttpRequest, viewer: Viewer, member_id: int) -> HttpResponse:
    """Erase the words of a member: also of those who have left, and in an archived campaign."""
    member = existing(Membership.objects.select_related("user").filter(campaign=viewer.campaign, pk=member_id).first())
    message = _("Everything {name} wrote was erased.").format(name=member.name)
    return _do(request, viewer, member, message, lambda: erase_words(viewer.by, member, key=request_key(request)))


@require_POST
@member_view(Role.SPECTATOR)
def leave(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    try:
        services.leave(viewer.by, key=request_key(request))
    except Invalid as error:
        return _page(request, viewer, {viewer.by.pk: error.message}, status=error.status)
    messages.success(request, _("You left {campaign}.").format(campaign=viewer.campaign.name))
    return redirect("home")


@require_POST
@member_view(Role.SPECTATOR, acts=False)
def see_as(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Preview as another person (`as`), or end the preview without `as`; it is kept in the session, for this campaign only."""
    gm = viewer.real or viewer.membership
    if gm is None or not gm.is_gm:
        raise Forbidden(Role.GM.needed_to_act)
    eyes = {}
    if request.POST.get("as"):
        form = SeeAsForm(viewer.campaign, request.POST)
        if not form.is_valid():
            raise Invalid(str(form.errors["as_"][0]), field="as")
        eyes = {str(viewer.campaign.pk): form.chosen}
    others = {key: kept for key, kept in request.session.get(SEEING_AS, {}).items() if key != str(viewer.campaign.pk)}
    request.session[SEEING_AS] = others | eyes
    return redirect(viewer.campaign.url)


def _member(viewer: Viewer, member_id: int) -> Membership:
    here = Membership.objects.active().select_related("user")
    return existing(here.filter(campaign=viewer.campaign, pk=member_id).first())


def _do(
    request: HttpRequest, viewer: Viewer, member: Membership, message: str, operation: Callable[[], Membership]
) -> HttpResponse:
    """Do an operation on a member; a refusal is shown with that member on the page."""
    try:
        operation()
    except (Forbidden, NotFound):
        raise
    except ServiceError as error:
        return _page(request, viewer, {member.pk: error.message}, status=error.status)
    messages.success(request, message)
    return redirect("members", viewer.campaign.slug)


def _page(
    request: HttpRequest, viewer: Viewer, errors: dict[int, str] | None = None, *, status: int = 200
) -> HttpResponse:
    """Show the members. `errors` holds refusals, by the id of the member concerned."""
    here = Membership.objects.active().select_related("user").filter(campaign=viewer.campaign)
    rows = [
        {
            "member": member,
            "is_me": viewer.membership is not None and member.pk == viewer.membership.pk,
            "form": RoleForm(initial={"role": member.role, "expected": member.role}, auto_id=f"member-{member.pk}-%s"),
            "error": (errors or {}).get(member.pk, ""),
        }
        for member in sorted(here, key=_rank)
    ]
    gone = Membership.objects.select_related("user").filter(campaign=viewer.campaign).exclude(left_at=None)
    context = {
        "viewer": viewer,
        "rows": rows,
        "gone": gone.order_by("left_at") if viewer.is_gm else [],
        "see_as_form": SeeAsForm(viewer.campaign) if viewer.is_gm else None,
    }
    return render(request, "campaigns/members.html", context, status=status)


def _rank(member: Membership) -> tuple[int, str, int]:
    """Return the sort key of a member: GMs first, then players, then spectators; each by name."""
    return -list(Role).index(Role(member.role)), fold(member.name), member.pk


# Invitations and the spectator link: for the GM, and the pages for people who follow one.


TOKEN = re.compile(r"[\w-]{8,200}")


@never_cache
@require_http_methods(["GET", "POST"])
@member_view(Role.GM)
def invitations(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the page of links, or their form in the table's dialog. The answer to making one shows it, once: only its
    hash is stored.
    """
    form = InvitationForm(viewer.campaign, request.POST or None, initial={"seat": request.GET.get("seat")})
    if request.method != "POST":
        return _invite_page(request, viewer, form)
    key = request_key(request)
    status = tried(request, form, lambda: services.invite(viewer.by, _role(form), **_limits(form), key=key))
    if status:
        return _invite_page(request, viewer, form, status=status)
    link = request.build_absolute_uri(reverse("join", args=[services.invitation_token(key)]))
    return _invite_page(request, viewer, InvitationForm(viewer.campaign), new_link=link, **_for_whom(form))


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
    return _invite_page(request, viewer, form, watch_link=watch_link, overlay_link=overlay_link)


@require_GET
def join_link(request: HttpRequest) -> HttpResponse:
    """Redirect to the invitation of a pasted link or token (`link` in the query string)."""
    token = request.GET.get("link", "").strip().rstrip("/").rpartition("/")[2]
    if not TOKEN.fullmatch(token):
        messages.error(request, _("This isn’t an invitation link. Copy the whole link your GM sent you."))
        return redirect("home")
    return redirect("join", token)


@never_cache
@require_GET
def watch(request: HttpRequest, token: str) -> HttpResponse:
    """Remember in the session that the visitor came by the spectator link, and redirect to the table."""
    campaign = viewer_by_link(token).campaign
    request.session[WATCHING] = request.session.get(WATCHING, {}) | {str(campaign.pk): campaign.watch_hash}
    return redirect(campaign.url)


def _role(form: InvitationForm) -> Role:
    return Role(form.cleaned_data["role"])


def _limits(form: InvitationForm) -> dict[str, Any]:
    return {name: form.cleaned_data.get(name) for name in ("days", "uses", "seat")}


def _for_whom(form: InvitationForm) -> dict[str, Any]:
    seat = form.cleaned_data.get("seat")
    return {"new_role": seat.role if seat else _role(form).value, "new_seat": seat.name if seat else ""}


def _invite_page(
    request: HttpRequest, viewer: Viewer, form: InvitationForm, *, status: int = 200, **links: str
) -> HttpResponse:
    if link := links.get("new_link"):
        links["qr_code"] = qr_code(link)
    if getattr(request, "htmx", None):
        return render(request, "campaigns/_invite_desk.html", {"viewer": viewer, "form": form, **links}, status=status)
    made = Invitation.objects.filter(campaign=viewer.campaign, revoked_at=None).select_related("made_by__user")
    now = timezone.now()
    good = [invitation for invitation in made.order_by("-made_at") if invitation.is_good(now)]
    context = {"viewer": viewer, "form": form, "invitations": good, **links}
    return render(request, "campaigns/invitations.html", context, status=status)


# Tokens of the API: each member's own, and for GMs the list of all.


@never_cache
@require_http_methods(["GET", "POST"])
@member_view(Role.SPECTATOR)
def tokens(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show and make tokens. The answer to making one shows it, once: only its hash is stored."""
    form, made = TokenForm(request.POST or None), ""
    status = tried(request, form, lambda: _make(viewer, form, request_key(request)))
    if not status:
        form, made = TokenForm(), services.api_token(request_key(request))
    context = {"viewer": viewer, "form": form, "made": made, "tokens": _listed(viewer)}
    return render(request, "campaigns/tokens.html", context, status=status or 200)


@require_POST
@member_view(Role.SPECTATOR)
def token_revoke(request: HttpRequest, viewer: Viewer, token_id: UUID) -> HttpResponse:
    services.revoke_token(viewer.by, token_id, key=request_key(request))
    messages.success(request, _("Token revoked."))
    return redirect("tokens", viewer.campaign.slug)


def _make(viewer: Viewer, form: TokenForm, key: UUID) -> None:
    given = form.cleaned_data
    services.make_token(viewer.by, given["name"], writes=given["scope"] == "write", days=given["days"], key=key)


def _listed(viewer: Viewer) -> list[ApiToken]:
    good = ApiToken.objects.good(timezone.now()).with_members().filter(membership__campaign=viewer.campaign)
    return list(good if viewer.is_gm else good.filter(membership=viewer.membership))
