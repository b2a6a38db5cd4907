"""Whether those who are connected still have their seats: looked up for all sockets of a process at once, in four queries."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib.sessions.models import Session
from django.utils import timezone

from campaigns.live.pump import GONE, RESEATED
from campaigns.models import Campaign, Membership, Seat


def lost(seats: Iterable[tuple[Seat, str | None]]) -> dict[int, int]:
    """Which of these (seat, session key) hold no more, by position, each with the code to close its socket with.

    GONE: removed, signed out, the account is switched off, or the spectator link is. RESEATED: in another role, or with another
    password, so that the page has to be asked for anew.
    """
    held = list(seats)
    sessions = set(
        Session.objects.filter(
            session_key__in={key for _, key in held if key}, expire_date__gt=timezone.now()
        ).values_list("session_key", flat=True)
    )
    people = {m.pk for seat, _ in held for m in _members(seat)}
    here = Membership.objects.here().filter(pk__in=people)
    now = {pk: (role, password) for pk, role, password in here.values_list("pk", "role", "user__password")}
    switched_off = set(here.filter(user__is_active=False).values_list("pk", flat=True))
    watching = {seat.campaign.pk for seat, _ in held if not _members(seat)}
    links = dict(Campaign.objects.filter(pk__in=watching).values_list("pk", "watch_hash"))
    gone = {}
    for position, (seat, key) in enumerate(held):
        signed_out = key is not None and key not in sessions
        unlinked = not _members(seat) and links.get(seat.campaign.pk) != seat.campaign.watch_hash
        # A GM may look through the eyes of somebody who cannot sign in.
        shut_out = any(m.pk in switched_off for m in _members(seat)[-1:])
        if signed_out or unlinked or shut_out or any(m.pk not in now for m in _members(seat)):
            gone[position] = GONE
        elif any(now[m.pk] != (m.role, m.user and m.user.password) for m in _members(seat)):
            gone[position] = RESEATED
    return gone


def _members(seat: Seat) -> list[Membership]:
    """Whose seat it is, and last who really sits in it; nobody for one who came by the spectator link."""
    return [member for member in (seat.membership, seat.real) if member]
