"""The page of an invitation. It shows faces and games, so that its view is here."""

from __future__ import annotations

from contextlib import suppress
from uuid import uuid4

from allauth.account.adapter import get_adapter
from allauth.account.signals import user_signed_up
from allauth.account.utils import get_next_redirect_url
from django.contrib.auth.views import redirect_to_login
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import Resolver404, resolve
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from campaigns.access import request_key, token_hash
from campaigns.errors import ServiceError
from campaigns.models import Boundaries, Membership, Role
from campaigns.queries.play import next_meeting
from campaigns.services import members as services
from campaigns.services.campaigns import sample
from people.adapter import INVITED
from people.context import person_of
from people.models import User
from rolls.queries.home import seats_of
from rolls.registry import rules_of
from rolls.ruleset import Rules

JUST_JOINED = "just-joined"
"""The key under which the session notes that its user joined as they signed up."""


@receiver(user_signed_up)
def join_on_the_way(request: HttpRequest, user: User, **_: object) -> None:
    """Let those who sign up on the way to an invitation join by it: they have pressed that before. Where it no longer lets
    them in, its page says why.
    """
    with suppress(Resolver404, ServiceError):
        link = resolve(get_next_redirect_url(request) or "")
        if link.url_name == "join":
            services.join(user, link.kwargs["token"], key=uuid4())
            request.session[JUST_JOINED] = True


@never_cache
@require_http_methods(["GET", "POST"])
def join(request: HttpRequest, token: str) -> HttpResponse:
    """Show the campaign to everyone with the link, and let signed-in users join."""
    if request.method == "POST":
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        member = services.join(person_of(request), token, key=request_key(request))
        return _welcomed(member)
    mine = _my_seat(request, token)
    if mine and request.session.pop(JUST_JOINED, False):
        return _welcomed(mine)
    if mine:
        return render(request, "campaigns/joined.html", {"member": mine})
    invitation = services.open_invitation(token, person_of(request) if request.user.is_authenticated else None)
    if not request.user.is_authenticated:
        request.session[INVITED] = True
    campaign = invitation.campaign
    context = {
        "invitation": invitation,
        "seats": seats_of(campaign),
        "next": next_meeting(campaign, None),
        "games": [(rules.label, _first_sentence(rules)) for rules in rules_of(campaign)],
        "merged": Boundaries.objects.merged(campaign),
        "can_sign_up": get_adapter(request).is_open_for_signup(request),
        "sample": sample(),
    }
    return render(request, "campaigns/join.html", context)


def _welcomed(member: Membership) -> HttpResponse:
    """Redirect a new member to where they begin."""
    plays = member.role == Role.PLAYER
    return redirect(member.campaign.newcomers_url if plays else member.campaign.url)


def _first_sentence(rules: Rules) -> str:
    """Return how these rules play, without what they are good for."""
    return str(rules.about or getattr(rules, "primer", "")).partition(". ")[0].rstrip(".") + "."


def _my_seat(request: HttpRequest, token: str) -> Membership | None:
    """Return the visitor's membership at the link's table, even if the link no longer works; None if they are not a member."""
    if not request.user.is_authenticated:
        return None
    here = Membership.objects.active().select_related("campaign").filter(user=person_of(request))
    return here.filter(campaign__invitations__token_hash=token_hash(token)).first()
