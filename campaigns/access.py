"""Access to campaigns. Every view under /c/<slug>/ uses `member_view`, which finds the viewer of the request.

A campaign that does not exist and one that the user may not see both answer 404. A role that is too small answers 403.
"""

from __future__ import annotations

import functools
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Concatenate, NamedTuple, ParamSpec
from uuid import UUID

from django.db import models
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from campaigns.errors import Forbidden, Invalid, NotFound
from campaigns.models import Campaign, Membership, Role, Viewer
from database.compiled import Parameter, compiled
from languages.text import gettext_lazy

P = ParamSpec("P")

WATCHING = "watching"  # session key: {campaign id: hash of the spectator link that was followed}
SEEING_AS = "seeing_as"  # session key: {campaign id: "player", "spectator" or the id of a membership}
NO_LINK = gettext_lazy("This spectator link is off. Ask the GM for a new one.")


def token_hash(token: str) -> str:
    """Return the hash of a link's token, in hex. Tokens are long and random, so a plain hash is enough."""
    return sha256(token.encode()).hexdigest()


class Claim(NamedTuple):
    """A person who asks to see a campaign: an account's id (None without one), their session's data, and the campaign's slug."""

    user_id: int | None
    session: Any
    slug: str


def viewer_of(user: Any, session: Any, slug: str) -> Viewer:
    """Return the viewer for a user, signed in or not, in a campaign. Raises NotFound if they may not see it."""
    (viewer,) = viewers_of([Claim(user.pk if user.is_authenticated else None, session, slug)])
    if viewer is None:
        raise NotFound
    return viewer


def viewers_of(claims: Sequence[Claim]) -> list[Viewer | None]:
    """Return the viewer of each claim, None for those who may not see the campaign.

    However many claims there are, this takes one query for members, and one more if some are not members: those with a
    spectator link, and anyone at the sample table, may watch.
    """
    members = {member.pk: member for member in _members(claims)}
    places = {(member.user_id, member.campaign.slug): member for member in members.values()}
    theirs = [places.get((claim.user_id, claim.slug)) if claim.user_id else None for claim in claims]
    viewers = [_as_member(member, claim.session, members) for claim, member in zip(claims, theirs, strict=True)]
    outside = {claim.slug for claim, viewer in zip(claims, viewers, strict=True) if not viewer}
    watchable = Campaign.objects.filter(~Q(watch_hash="") | Q(is_sample=True), slug__in=outside) if outside else ()
    watched = {campaign.slug: campaign for campaign in watchable}
    return [viewer or _looking_on(claim, watched) for claim, viewer in zip(claims, viewers, strict=True)]


def _members(claims: Sequence[Claim]) -> Iterable[Membership]:
    """Return the memberships of those who ask, and those that the GMs among them may have chosen to preview as."""
    asking = [claim for claim in claims if claim.user_id is not None]
    if not asking:
        return ()
    chosen = {
        chosen_id
        for claim in asking
        for chosen_id in claim.session.get(SEEING_AS, {}).values()
        if isinstance(chosen_id, int)
    }
    if len(asking) == 1 and not chosen:
        return _member.rows(user=asking[0].user_id, slug=asking[0].slug)
    memberships = Q(user__in={claim.user_id for claim in asking}) | Q(pk__in=chosen)
    slugs = {claim.slug for claim in asking}
    return Membership.objects.active().filter(memberships, campaign__slug__in=slugs).select_related("campaign", "user")


@compiled(user=models.BigAutoField(), slug=models.CharField())
def _member(user: Parameter, slug: Parameter) -> QuerySet[Membership]:
    return Membership.objects.active().filter(user=user, campaign__slug=slug).select_related("campaign", "user")


def _as_member(member: Membership | None, session: Any, members: Mapping[int, Membership]) -> Viewer | None:
    if member is None:
        return None
    if not member.is_gm:
        return Viewer(member.campaign, member, Role(member.role))
    chosen = session.get(SEEING_AS, {}).get(str(member.campaign_id))
    if chosen in (Role.PLAYER, Role.SPECTATOR):
        return Viewer(member.campaign, None, Role(chosen), real=member)
    other = members.get(chosen) if isinstance(chosen, int) else None
    if other is not None and other.campaign_id == member.campaign_id:
        return Viewer(member.campaign, other, Role(other.role), real=member)
    return Viewer(member.campaign, member, Role.GM)


def _links(claim: Claim) -> dict[str, str]:
    """Hashes of the spectator links that were followed in this session, by the ids of campaigns."""
    links: dict[str, str] = claim.session.get(WATCHING, {})
    return links


def _looking_on(claim: Claim, watched: Mapping[str, Campaign]) -> Viewer | None:
    """Return the viewer of a non-member: a spectator, who sees the table's stream and can do nothing; None if they may
    not watch.
    """
    campaign = watched.get(claim.slug)
    if campaign is None:
        return None
    by_link = bool(campaign.watch_hash) and _links(claim).get(str(campaign.pk)) == campaign.watch_hash
    return Viewer(campaign, None, Role.SPECTATOR) if by_link or campaign.is_sample else None


def viewer_by_link(token: str) -> Viewer:
    """Return the viewer of anyone with the spectator link of `token`, signed in or not. Raises NotFound if the link is
    off or was replaced.
    """
    for viewer in viewers_by_link([token_hash(token)]).values():
        return viewer
    raise NotFound(NO_LINK)


def viewers_by_link(hashes: Iterable[str]) -> dict[str, Viewer]:
    """Return those viewers by the hashes of the links' tokens, without those whose link is off."""
    wanted = set(hashes) - {""}
    campaigns = Campaign.objects.filter(watch_hash__in=wanted) if wanted else ()
    return {campaign.watch_hash: Viewer(campaign, None, Role.SPECTATOR) for campaign in campaigns}


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
                raise Forbidden(role.needed_to_act if acting else role.needed_to_see)
            return view(request, viewer, *args, **kwargs)

        entered.least_role = role  # type: ignore[attr-defined]  # read by the permission matrix
        return entered

    return decorate


def request_key(request: HttpRequest) -> UUID:
    """Return the browser-made key of a form (hidden input `key`), which is random: other ids follow from those of things, and
    may be taken. Raises Invalid where it is missing or broken."""
    key = id_or_none(request.POST.get("key", ""))
    if key is None or key.version != 4:
        raise Invalid(_("This form has no key. Reload the page and try again."), field="key")
    return key


def id_or_none(text: object) -> UUID | None:
    """Return the id in `text`; None if it is no id."""
    try:
        return UUID(str(text))
    except ValueError:
        return None


def link_token(purpose: str, key: UUID) -> str:
    """Return a link's token: 43 letters, digits, "-" and "_" (256 bits) that follow from its purpose and key."""
    made = salted_hmac(f"afterburn.{purpose}", str(key), algorithm="sha256").digest()
    return urlsafe_b64encode(made).rstrip(b"=").decode()
