"""Pages of the people at a table: their roles, and through whose eyes a GM looks."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import SEEING_AS, member_view, request_key
from campaigns.errors import Forbidden, Invalid, NotFound, ServiceError, existing
from campaigns.forms.members import RoleForm, SeeAsForm
from campaigns.models import Membership, Role, Viewer
from campaigns.services import members as services
from campaigns.services.erasing import erase_words
from languages.letters import fold


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
