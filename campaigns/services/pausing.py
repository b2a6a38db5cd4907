"""Pausing play: anybody at a table can, and nobody learns who did.

It is a state of the campaign and no event: the log is for ever and goes into exports link by link, so that even an entry without
a name would tell what had just been said. The operation is no `service` either: of those a row says for thirty days who did what.
What is kept is that the campaign is paused, and the last key of that, without a person or a time, and not among other keys, which
have both. How often somebody asks is counted in the memory of this process alone, under a name that only it can compute.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import blake2b
from threading import Lock
from uuid import UUID

from campaigns.errors import Invalid, NotFound, RateLimited
from campaigns.models import Campaign, IdempotencyKey, Membership, Role
from campaigns.services.idempotency import USED_KEY
from campaigns.services.log import UnitOfWork, begin, locked, service, writable

MOST = 3
WITHIN = timedelta(minutes=10)
OFTEN = (
    "You have paused the game three times in a few minutes, and can again soon. Tell somebody at the table, or close this page: "
    "you need not go on."
)


class Presses:
    """How often each has paused a game lately. Nothing of it is written anywhere, and it ends with the process."""

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)
        self._moments: dict[bytes, list[datetime]] = {}
        self._lock = Lock()

    def count(self, member: Membership, now: datetime) -> None:
        """Raises RateLimited where it is one more than MOST."""
        name = self._name(member)
        with self._lock:
            recent = {
                campaign_id: [at for at in moments if at > now - WITHIN]
                for campaign_id, moments in self._moments.items()
            }
            self._moments = {campaign_id: moments for campaign_id, moments in recent.items() if moments}
            mine = self._moments.setdefault(name, [])
            if len(mine) >= MOST:
                raise RateLimited(int((mine[0] + WITHIN - now).total_seconds()) + 1, OFTEN)
            mine.append(now)

    def _name(self, member: Membership) -> bytes:
        return blake2b(str(member.pk).encode(), key=self._secret).digest()


_presses = Presses()


def pause_play(by: Membership, *, key: UUID) -> None:
    """Stop what is said and rolled until a GM lets it go on. Where it is paused already nothing happens.

    Raises NotFound for those who left, Blocked in an archived campaign, RateLimited for the fourth time in ten minutes, and
    Invalid for a key that was used for something else.
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
    """Let what is said and rolled go on."""
    _put(work.campaign, is_paused=False)


@service(Role.GM)
def choose_pause_words(work: UnitOfWork, words: str, *, key: UUID) -> Campaign:
    """Choose what everybody reads while play is paused: up to 300 characters, "" for the site's own words."""
    _put(work.campaign, pause_words=words)
    return work.campaign


def _put(campaign: Campaign, **values: bool | str | UUID) -> None:
    for name, value in values.items():
        setattr(campaign, name, value)
    campaign.save(update_fields=list(values))
