"""Who may enter. Every view under /c/<slug>/ stands behind `member_view`, which finds the viewer through the person who asks.

A campaign that is not there and one that is not theirs answer alike: 404. A role that is too small: 403.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from hashlib import sha256
from typing import Any, Concatenate, ParamSpec
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.models import Campaign, Membership, Role, Viewer

P = ParamSpec("P")

WATCHING = "watching"  # session key: {campaign id: hash of the spectator link that was followed}
SEEING_AS = "seeing_as"  # session key: {campaign id: "player", "spectator" or the id of a membership}


def token_hash(token: str) -> str:
    """What is kept of a link's token, in hex. Tokens are long and random, so a plain hash is enough."""
    return sha256(token.encode()).hexdigest()


def viewer_of(user: Any, session: Any, slug: str) -> Viewer:
    """The viewer of a person (or of an anonymous holder of the spectator link) in a campaign. Raises NotFound."""
    member = Membership.objects.of(user, slug).first() if user.is_authenticated else None
    if member is not None:
        member.user = user
        return _seen_as(member, session) if member.is_gm else Viewer(member.campaign, member, Role(member.role))
    campaign = Campaign.objects.filter(slug=slug).exclude(watch_hash="").first()
    if campaign and session.get(WATCHING, {}).get(str(campaign.pk)) == campaign.watch_hash:
        return Viewer(campaign, None, Role.SPECTATOR)
    raise NotFound


def _seen_as(gm: Membership, session: Any) -> Viewer:
    chosen = session.get(SEEING_AS, {}).get(str(gm.campaign_id))
    if chosen in (Role.PLAYER, Role.SPECTATOR):
        return Viewer(gm.campaign, None, Role(chosen), real=gm)
    if isinstance(chosen, int):
        other = Membership.objects.active().select_related("user").filter(campaign=gm.campaign, pk=chosen).first()
        if other is not None:
            return Viewer(gm.campaign, other, Role(other.role), real=gm)
    return Viewer(gm.campaign, gm, Role.GM)


def member_view(
    role: Role, *, acts: bool = True
) -> Callable[[Callable[Concatenate[HttpRequest, Viewer, P], HttpResponse]], Callable[..., HttpResponse]]:
    """Let a view be entered only by those with at least `role`; the view gets their Viewer instead of the slug.

    A POST is refused to viewers that only look, before anything is read, unless `acts` is False (leaving "see it as").
    """

    def decorate(view: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponse]) -> Callable[..., HttpResponse]:
        @functools.wraps(view)
        def entered(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            viewer = viewer_of(request.user, request.session, slug)
            request.viewer = viewer  # type: ignore[attr-defined]  # the page's header shows it
            acting = acts and request.method not in ("GET", "HEAD")
            if acting and viewer.is_read_only:
                viewer.by  # noqa: B018  # raises the Forbidden that fits
            if not viewer.role.at_least(role):
                raise Forbidden(f"Only a {role.label} can {'do that' if acting else 'see this'}.")
            return view(request, viewer, *args, **kwargs)

        entered.least_role = role  # type: ignore[attr-defined]  # read by the permission matrix
        return entered

    return decorate


def request_key(request: HttpRequest) -> UUID:
    """The browser-made key of a form (hidden input `key`), which is random: other ids follow from those of things, and may be
    taken. Raises Invalid where it is missing or broken."""
    try:
        key = UUID(request.POST.get("key", ""))
    except ValueError:
        key = None
    if key is None or key.version != 4:
        raise Invalid("This form has no key. Reload the page and try again.", field="key")
    return key
