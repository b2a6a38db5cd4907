"""What tells people, beside the delivery of webhooks in `manage.py deliver`: what asks pages for nothing.

It looks at the tables where something has changed and at the members who are not there, keeps a list of what waits for
them (Notice), and tells each person of all that has waited for long enough, in one message by each way. A person is claimed for
one attempt, as webhooks are, so several workers may run at once. An attempt that fails is repeated a few times.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from threading import Event as Flag
from typing import Any, Final
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Sum
from django.utils import timezone

from campaigns.live.presence import alive
from campaigns.models import Membership, Role, Stream, Viewer
from campaigns.queries.dates import meeting_between
from notices.messages import Parcel, Send, parcels, tests
from notices.models import Choice, Device, Notice, Preferences
from notices.sources import DAY, SOURCES, Found
from webhooks.delivery import wait_after
from webhooks.sending import Answer, post

log = logging.getLogger(__name__)

EVERY: Final = 1.0
"""Seconds after which a worker looks whether someone is to be told."""
LOOK_EVERY: Final = 15.0
"""Seconds after which it looks at the tables."""
AT_ONCE: Final = 8
"""People who are being told at a time; each of their ways takes ten seconds at most."""
HELD: Final = timedelta(minutes=5)
"""After that a worker that has not said what came of its attempt counts as dead."""
MOST_TRIES: Final = 6
"""After that, some twenty minutes, what still fails is left."""
GONE: Final = (404, 410)
"""What push services answer for a device that will never take anything again."""

Known = dict[UUID, object]
"""How each campaign stood when it was looked at."""


def look(known: Known) -> None:
    """Update the list of what waits, at the tables that changed since they stood as in `known`, which is updated."""
    now = timezone.now()
    members = [member for member in _candidates().order_by("campaign", "pk") if _wants(member)]
    ids = {member.campaign_id for member in members}
    there = set(alive(*ids).exclude(membership=None).values_list("membership", flat=True))
    # Who is at the table sees it there; what they leave undone begins to wait when they go.
    Notice.objects.filter(member__in=there, told_at=None).delete()
    streams = Stream.objects.filter(campaign__in=ids).values_list("campaign").annotate(Sum("seq"))
    heads = dict(streams)
    soon = set(meeting_between(now, now + 2 * DAY).values_list("campaign", flat=True))
    for campaign_id, theirs in groupby(members, key=lambda member: member.campaign_id):
        away = [member for member in theirs if member.pk not in there]
        # Once an hour also where nothing has changed, and each quarter where a session is near: some things begin to wait,
        # or end, by the clock.
        quarter = now.minute - now.minute % 15 if campaign_id in soon else 0
        stands = (
            heads.get(campaign_id),
            {member.pk for member in away},
            now.replace(minute=quarter, second=0, microsecond=0),
        )
        if known.get(campaign_id) != stands:
            for member in away:
                see(member, now)
            known[campaign_id] = stands


def _candidates() -> QuerySet[Membership]:
    asked = Membership.objects.active().filter(user__notices__isnull=False, user__is_active=True)
    return asked.filter(campaign__archived_at=None).select_related("campaign", "user__notices", "notice_choice")


def _wants(member: Membership) -> bool:
    choice: Choice | None = getattr(member, "notice_choice", None)
    return member.user is not None and any(member.user.notices.ways_for(kind, choice) for kind in SOURCES)


def see(member: Membership, now: datetime) -> None:
    """Update the list of what waits for a member."""
    viewer = Viewer(member.campaign, member, Role(member.role))
    found: dict[Found, str] = {}
    unread = []
    for kind, source in SOURCES.items():
        try:
            found |= dict.fromkeys(source.find(viewer), kind)
        except Exception:
            # What was told of it stays, or it would be told twice.
            unread.append(kind)
            log.exception("What waits for %s cannot be told.", member.pk)
    noted = Notice.objects.filter(member=member)
    noted.exclude(Q(key__in=[one.key for one in found]) | Q(kind__in=unread)).delete()
    there = set(noted.values_list("key", flat=True))
    patience = timedelta(minutes=member.user.notices.patience if member.user else 0)
    Notice.objects.bulk_create(
        (
            Notice(member=member, kind=kind, due_at=now if SOURCES[kind].keeps_time else now + patience, **vars(one))
            for one, kind in found.items()
            if one.key not in there
        ),
        ignore_conflicts=True,
    )


@dataclass(frozen=True)
class Attempt:
    """A worker's claim: the messages that a person is sent now, about these notices; none for a test."""

    person: Preferences
    holder: UUID
    notices: Sequence[Notice]
    parcels: Sequence[Parcel]


def due(now: datetime) -> QuerySet[Preferences]:
    """Return the people who are to be told something and are not held by a worker."""
    waits = Notice.objects.filter(member__user=OuterRef("pk"), told_at=None, due_at__lte=now)
    told = Q(Exists(waits)) & (Q(next_at=None) | Q(next_at__lte=now))
    return Preferences.objects.filter(_free(now), told | Q(test_at__isnull=False), user__is_active=True)


def _free(now: datetime) -> Q:
    return Q(held_until=None) | Q(held_until__lte=now)


def claim(user_id: int, send: Send) -> Attempt | None:
    """Take what a person is to be told now, unless another worker has, or it does not wait any more."""
    now, holder = timezone.now(), uuid4()
    if not Preferences.objects.filter(_free(now), pk=user_id).update(holder=holder, held_until=now + HELD):
        return None
    person = Preferences.objects.select_related("user").get(pk=user_id)
    if person.test_at:
        return Attempt(person, holder, (), tests(person, now, send))
    if quiet := person.quiet_end(now):
        _let_go(person, holder, next_at=quiet)
        return None
    notices = _waiting(person, now)
    if not notices:
        _let_go(person, holder)
        return None
    return Attempt(person, holder, notices, parcels(person, notices, now, send))


def _waiting(person: Preferences, now: datetime) -> list[Notice]:
    """Return what a person is to be told: what still waits, where they still are a member and are not at the table."""
    listed = Notice.objects.filter(member__user=person.pk, told_at=None, due_at__lte=now)
    members = list(_candidates().filter(pk__in=listed.values("member")))
    there = alive(*(member.campaign_id for member in members)).filter(membership__user=person.pk)
    gone = set(there.values_list("membership", flat=True))
    listed.filter(Q(member__in=gone) | ~Q(member__in=members)).delete()
    for member in members:
        if member.pk not in gone:
            see(member, now)
    return list(listed.select_related("member__campaign", "date").order_by("pk"))


def settle(attempt: Attempt, answers: Sequence[Answer]) -> None:
    """Store what came of an attempt, unless another worker has taken it over."""
    now, person = timezone.now(), attempt.person
    sent = list(zip(attempt.parcels, answers, strict=True))
    failed = [answer for _, answer in sent if not answer.is_taken and answer.status not in GONE]
    again = bool(failed) and person.tries + 1 < MOST_TRIES and attempt.notices
    for parcel, answer in sent:
        if answer not in failed:
            for notice in parcel.notices:
                notice.sent = [*notice.sent, parcel.label]
    for notice in attempt.notices:
        notice.told_at = None if again else now
    if again:
        pause = max(wait_after(person.tries), *(answer.wait for answer in failed))
        values: dict[str, Any] = {"tries": person.tries + 1, "next_at": now + timedelta(seconds=pause)}
    else:
        # What begins to wait in the next minutes comes together.
        values = {"tries": 0, "next_at": now + timedelta(minutes=person.patience)}
    gone = [parcel.label for parcel, answer in sent if answer.status in GONE]
    with transaction.atomic():
        if _let_go(person, attempt.holder, **(values if attempt.notices else {"test_at": None})):
            Notice.objects.bulk_update(attempt.notices, ["sent", "told_at"])
            Device.objects.filter(pk__in=[UUID(label[7:]) for label in gone if label.startswith("device:")]).delete()


def _let_go(person: Preferences, holder: UUID, **values: object) -> bool:
    held = Preferences.objects.filter(pk=person.pk, holder=holder)
    return held.update(holder=None, held_until=None, **values) == 1


class Notifier:
    """Tells people until it is told to stop. `send` is webhooks.sending.post, or a stand-in in tests."""

    def __init__(self, send: Send = post) -> None:
        self._send = send
        self._stopped = Flag()
        self._known: Known = {}
        self._next_look = 0.0
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="notice")
        self._under_way: dict[Future[list[Answer]], Attempt] = {}

    def stop(self) -> None:
        """Send nothing new, and wait for what is under way."""
        self._stopped.set()

    def run(self) -> None:
        try:
            while not self._stopped.is_set():
                if time.monotonic() >= self._next_look:
                    look(self._known)
                    self._next_look = time.monotonic() + LOOK_EVERY
                if not self.turn():
                    self._stopped.wait(EVERY)
        finally:
            self._pool.shutdown(wait=True)
            self._settle(set(self._under_way))

    def turn(self) -> bool:
        """Begin to tell who is to be told, wait a moment, and store the results. Return whether anything was under way."""
        free = AT_ONCE - len(self._under_way)
        for user_id in due(timezone.now()).order_by("next_at").values_list("pk", flat=True)[:free]:
            try:
                attempt = claim(user_id, self._send)
            except Exception:
                # They stay held for a while, and hold up nobody else.
                log.exception("What waits for the account %s could not be told.", user_id)
                continue
            if attempt:
                self._under_way[self._pool.submit(_sent, attempt.parcels)] = attempt
        if not self._under_way:
            return False
        done, _ = wait(self._under_way, timeout=EVERY, return_when=FIRST_COMPLETED)
        self._settle(done)
        return True

    def _settle(self, done: set[Future[list[Answer]]]) -> None:
        for future in done:
            settle(self._under_way.pop(future), future.result())


def _sent(parcels: Iterable[Parcel]) -> list[Answer]:
    return [parcel.send() for parcel in parcels]
