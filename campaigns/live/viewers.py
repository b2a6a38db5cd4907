"""Who connects, and whether those who are connected still have their viewers: looked up for many sockets at once, in four queries
each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY, get_user_model
from django.utils.crypto import constant_time_compare

from campaigns.access import Claim, viewers_of
from campaigns.live.socket_writer import GONE, RESEATED
from campaigns.models import Campaign, Membership, Viewer
from people.sessions import going_on, live


def find(asked: Sequence[tuple[str, str | None]]) -> list[Viewer | None]:
    """The viewers of these (slug, session key) as pages would find them; None for those who do not belong there.

    However many ask, that is one query for sessions and one for members. Two more are for those who look on without being
    members: one for the campaigns, and one for the accounts of those among them who have one.
    """
    sessions = live(key for _, key in asked if key)
    claims = [_claim(slug, sessions.get(key or "", {})) for slug, key in asked]
    viewers = viewers_of(claims)
    users = _users(claims, viewers)
    nobody = []
    for place, claim in enumerate(claims):
        if claim.user_id is None or viewers[place] is None:
            continue
        user = users.get(claim.user_id)
        if user is None or not user.is_active:
            nobody.append(place)
        elif not _is_proven(user, claim.session):
            viewers[place] = None
    # Who is switched off is nobody any more, who may have followed a link.
    for place in nobody:
        (viewers[place],) = viewers_of([claims[place]._replace(user_id=None)])
    return viewers


def _claim(slug: str, session: dict[str, Any]) -> Claim:
    signed_in = SESSION_KEY in session and session.get(BACKEND_SESSION_KEY) in settings.AUTHENTICATION_BACKENDS
    return Claim(get_user_model()._meta.pk.to_python(session[SESSION_KEY]) if signed_in else None, session, slug)


def _users(claims: Sequence[Claim], viewers: Sequence[Viewer | None]) -> dict[int | None, Any]:
    """The accounts of those who have a viewer."""
    members = [viewer.real or viewer.membership for viewer in viewers if viewer]
    users: dict[int | None, Any] = {member.user_id: member.user for member in members if member}
    others = {claim.user_id for claim, viewer in zip(claims, viewers, strict=True) if viewer} - {None, *users}
    return users | (get_user_model().objects.in_bulk(others) if others else {})


def _is_proven(user: Any, session: dict[str, Any]) -> bool:
    """Whether they signed in with the password that they have now."""
    proof = session.get(HASH_SESSION_KEY, "")
    hashes = (user.get_session_auth_hash(), *user.get_session_auth_fallback_hash())
    return any(constant_time_compare(proof, known) for known in hashes)


def lost(viewers: Iterable[tuple[Viewer, str | None]]) -> dict[int, int]:
    """Which of these (viewer, session key) hold no more, by position, each with the code to close its socket with.

    GONE: removed, signed out, the account is switched off, the spectator link is, or the table is no sample any more. RESEATED:
    in another role, or with another password, so that the page has to be asked for anew.
    """
    held = list(viewers)
    sessions = going_on(key for _, key in held if key)
    people = {m.pk for viewer, _ in held for m in _members(viewer)}
    here = Membership.objects.active().filter(pk__in=people)
    now = {pk: (role, password) for pk, role, password in here.values_list("pk", "role", "user__password")}
    switched_off = set(here.filter(user__is_active=False).values_list("pk", flat=True))
    watching = {viewer.campaign.pk for viewer, _ in held if not _members(viewer)}
    doors = {
        pk: door for pk, *door in Campaign.objects.filter(pk__in=watching).values_list("pk", "watch_hash", "is_sample")
    }
    gone = {}
    for position, (viewer, key) in enumerate(held):
        signed_out = key is not None and key not in sessions
        unlinked = not _members(viewer) and _is_shut(viewer.campaign, *doors.get(viewer.campaign.pk, ("", False)))
        # A GM may look through the eyes of somebody who cannot sign in.
        shut_out = any(m.pk in switched_off for m in _members(viewer)[-1:])
        if signed_out or unlinked or shut_out or any(m.pk not in now for m in _members(viewer)):
            gone[position] = GONE
        elif any(now[m.pk] != (m.role, m.user and m.user.password) for m in _members(viewer)):
            gone[position] = RESEATED
    return gone


def _is_shut(seen: Campaign, watch_hash: str, is_sample: bool) -> bool:
    """Whether those look on no more who are no members. `seen` is the campaign as it was when they were let in.

    Who came by the link to what was the sample is cut with the others, and let in again when they load the page.
    """
    return not is_sample and (seen.is_sample or watch_hash != seen.watch_hash)


def _members(viewer: Viewer) -> list[Membership]:
    """Whose viewer it is, and last who really sits in it; nobody for one who only looks on."""
    return [member for member in (viewer.membership, viewer.real) if member]
