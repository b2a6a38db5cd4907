"""Pausing play without a name, and lines and veils."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import blake2b
from threading import Lock
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Conflict, Invalid, NotFound, RateLimited
from campaigns.events import BOUNDARIES_CHANGED
from campaigns.models import Boundaries, Campaign, IdempotencyKey, Membership, Role
from campaigns.services.idempotency import USED_KEY
from campaigns.services.log import UnitOfWork, begin, locked, service, version, writable
from languages.text import gettext_lazy

MOST_PAUSES = 3
WITHIN = timedelta(minutes=10)
OFTEN = gettext_lazy(
    "You’ve paused the game three times in ten minutes. You can pause again soon. Until then, tell someone at the table or "
    "close this page: you don’t have to go on."
)


class Presses:
    """How often each has paused a game lately. It is stored nowhere, and ends with the process."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)
        self._moments: dict[bytes, list[datetime]] = {}
        self._lock = Lock()

    def count(self, member: Membership, now: datetime) -> None:
        """Count one more. Raises RateLimited where it is one more than MOST_PAUSES."""
        name = self._name(member)
        with self._lock:
            recent = {
                campaign_id: [at for at in moments if at > now - WITHIN]
                for campaign_id, moments in self._moments.items()
            }
            self._moments = {campaign_id: moments for campaign_id, moments in recent.items() if moments}
            mine = self._moments.setdefault(name, [])
            if len(mine) >= MOST_PAUSES:
                raise RateLimited(int((mine[0] + WITHIN - now).total_seconds()) + 1, OFTEN)
            mine.append(now)

    def _name(self, member: Membership) -> bytes:
        return blake2b(str(member.pk).encode(), key=self._secret).digest()


_presses = Presses()


def pause_play(by: Membership, *, key: UUID) -> None:
    """Pause what is said and rolled until a GM resumes it. While paused nothing happens.

    Raises NotFound for those who left, Blocked in an archived campaign, RateLimited for the fourth time in ten minutes,
    and Invalid for a key that was used for something else.
    """
    with locked(by.campaign) as campaign:
        if not Membership.objects.active().filter(pk=by.pk, campaign=campaign).exists():
            raise NotFound
        writable(campaign)
        if IdempotencyKey.objects.filter(key=key).exists():
            raise Invalid(USED_KEY, field="key")
        if campaign.is_paused or campaign.pause_key == key:
            return
        _presses.count(by, begin(campaign, by, key).now)
        _put(campaign, is_paused=True, pause_key=key)


@service(Role.GM)
def resume_play(work: UnitOfWork, *, key: UUID) -> None:
    """Resume play."""
    _put(work.campaign, is_paused=False)


@service(Role.GM)
def choose_pause_words(work: UnitOfWork, words: str, *, key: UUID) -> Campaign:
    """Choose the words that everyone reads while play is paused: up to 300 characters, "" for the site's own words."""
    _put(work.campaign, pause_words=words)
    return work.campaign


def _put(campaign: Campaign, **values: bool | str | UUID) -> None:
    for name, value in values.items():
        setattr(campaign, name, value)
    campaign.save(update_fields=list(values))


MOST_ENTRIES = 40
"""Lines, and as many veils, of one member."""
LONGEST_ENTRY = 120

CHANGED = gettext_lazy("You changed these on another page. Check what they say now, then try again.")


def own_boundaries(member: Membership) -> Boundaries:
    """Return a member's own; none as yet are empty ones."""
    return Boundaries.objects.filter(member=member).first() or Boundaries(member=member)


def boundaries_version(boundaries: Boundaries) -> str:
    """Return the `expected` of `write_boundaries`."""
    return version(boundaries.texts)


@service(Role.SPECTATOR)
def write_boundaries(work: UnitOfWork, lines: Sequence[str], veils: Sequence[str], *, expected: str, key: UUID) -> None:
    """Replace one's own lines and veils: up to 40 of each, of up to 120 characters.

    Raises Invalid for more, Conflict if they have changed since they were read. The event has no actor, and is recorded
    only if the table's merged list changes.
    """
    for field, entries in (("lines", lines), ("veils", veils)):
        if len(entries) > MOST_ENTRIES or any(len(entry) > LONGEST_ENTRY for entry in entries):
            message = _("Write up to {most} entries of up to {longest} characters each.")
            raise Invalid(message.format(most=MOST_ENTRIES, longest=LONGEST_ENTRY), field=field)
    mine = own_boundaries(work.by)
    if expected != boundaries_version(mine):
        raise Conflict(CHANGED, current=mine.texts)
    before = Boundaries.objects.merged(work.campaign)
    mine.lines, mine.veils = list(lines), list(veils)
    mine.save()
    if Boundaries.objects.merged(work.campaign) != before:
        work.record(BOUNDARIES_CHANGED, {})
