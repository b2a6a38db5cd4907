"""When members were here: for "what happened since". It is no part of the log, as nobody's looking is anybody's history."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from campaigns.models import Membership, Viewer
from database.fullness import write_unless_full

AWAY = timedelta(hours=1)
"""Whoever was not seen for so long was away."""

ENOUGH = timedelta(minutes=1)
"""No more often than this is it written down that somebody is still here."""


def is_first(viewer: Viewer) -> bool:
    """Whether somebody with an account looks at a table for the first time, at any. Ask it before `look`.

    It is known from what is written down of visits anyway, on the server: another browser of theirs is not the first time again.
    """
    member = viewer.membership
    if member is None or viewer.is_read_only or member.here_at is not None:
        return False
    return not Membership.objects.filter(user=member.user_id).exclude(here_at=None).exists()


def look(viewer: Viewer) -> None:
    """Somebody looks at the table or its log. After an absence a new visit begins, and the one before it is over.

    Nobody is written down who came by the spectator link, nor a member through whose eyes a GM looks.
    """
    member = viewer.membership
    if member is None or viewer.is_read_only:
        return
    now, seen = timezone.now(), member.here_at
    if seen is not None and now - seen < ENOUGH:
        return
    new = {"last_visit": F("here_at")} if seen is not None and now - seen > AWAY else {}
    row = Membership.objects.filter(pk=member.pk)
    write_unless_full("that somebody was here", lambda: row.update(here_at=now, **new))
    if new:
        member.last_visit = seen
    member.here_at = now
