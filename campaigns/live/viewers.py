"""Whether those who are connected still have their viewers: looked up for all sockets of a process at once, in four queries."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.sessions.models import Session
from django.utils import timezone

from campaigns.live.socket_writer import GONE, RESEATED
from campaigns.models import Campaign, Membership, Viewer


def lost(viewers: Iterable[tuple[Viewer, str | None]]) -> dict[int, int]:
    """Which of these (viewer, session key) hold no more, by position, each with the code to close its socket with.

    GONE: removed, signed out, the account is switched off, or the spectator link is. RESEATED: in another role, or with another
    password, so that the page has to be asked for anew.
    """
    held = list(viewers)
    sessions = set(
        Session.objects.filter(
            session_key__in={key for _, key in held if key}, expire_date__gt=timezone.now()
        ).values_list("session_key", flat=True)
    )
    people = {m.pk for viewer, _ in held for m in _members(viewer)}
    here = Membership.objects.active().filter(pk__in=people)
    now = {pk: (role, password) for pk, role, password in here.values_list("pk", "role", "user__password")}
    switched_off = set(here.filter(user__is_active=False).values_list("pk", flat=True))
    watching = {viewer.campaign.pk for viewer, _ in held if not _members(viewer)}
    links = dict(Campaign.objects.filter(pk__in=watching).values_list("pk", "watch_hash"))
    gone = {}
    for position, (viewer, key) in enumerate(held):
        signed_out = key is not None and key not in sessions
        unlinked = not _members(viewer) and links.get(viewer.campaign.pk) != viewer.campaign.watch_hash
        # A GM may look through the eyes of somebody who cannot sign in.
        shut_out = any(m.pk in switched_off for m in _members(viewer)[-1:])
        if signed_out or unlinked or shut_out or any(m.pk not in now for m in _members(viewer)):
            gone[position] = GONE
        elif any(now[m.pk] != (m.role, m.user and m.user.password) for m in _members(viewer)):
            gone[position] = RESEATED
    return gone


def _members(viewer: Viewer) -> list[Membership]:
    """Whose viewer it is, and last who really sits in it; nobody for one who came by the spectator link."""
    return [member for member in (viewer.membership, viewer.real) if member]
