"""Tokens of the API: each member's own, and for GMs the list of all."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from campaigns.access import member_view, request_key
from campaigns.forms.tokens import TokenForm
from campaigns.models import ApiToken, Role, Viewer
from campaigns.services import tokens as services
from campaigns.views.answers import tried


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
    """Return one's own valid tokens; for a GM all of the campaign."""
    good = ApiToken.objects.good(timezone.now()).with_members().filter(membership__campaign=viewer.campaign)
    return list(good if viewer.is_gm else good.filter(membership=viewer.membership))
