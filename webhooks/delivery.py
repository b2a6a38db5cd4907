"""The worker that delivers: what `manage.py deliver` runs.

One thread queries the database and draws messages, others send them: a silent receiver delays nothing but its own
webhook. Several workers may run at once. Each claims a webhook for one attempt by a conditional UPDATE, so that nobody
else sends to it at the same time, and stores the result only while the claim is still its own. So a webhook gets
everything in order, and an event is sent again only if a worker ended between sending it and storing that.
"""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event as Flag
from typing import Any, Final
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from campaigns.models import Event, Membership, Role, Stream
from campaigns.models.members import GM, TABLE
from campaigns.services.log import begin, locked
from webhooks.events import WEBHOOK_STOPPED, events_of
from webhooks.messages import Message, message, open_events, says_something
from webhooks.models import Delivery, DeliveryState, Webhook
from webhooks.sending import Answer, post

log = logging.getLogger(__name__)

AT_ONCE: Final = 32
"""Requests under way in one worker."""
AT_ONE_HOST: Final = 8
"""The most of these to one host: the others are for other hosts."""
AT_ONE_CAMPAIGN: Final = 4
"""The most of these for one campaign: its slow receivers leave the others' theirs."""
EVERY: Final = 1.0
"""Seconds after which a worker looks again whether something is to be sent."""
READ_AT_ONCE: Final = 20
"""Events among which a worker looks for the next one that says something: the first does, but for what only moves displays."""
HELD: Final = timedelta(seconds=20)
"""After that a worker that has not said what came of its attempt counts as dead: an attempt takes ten seconds at most."""
PATIENCE: Final = timedelta(days=1)
FIRST_WAIT: Final = 5.0
LONGEST_WAIT: Final = 2 * 3600.0

Send = Callable[[str, bytes, dict[str, str]], Answer]


@dataclass(frozen=True)
class Attempt:
    """A worker's claim: the message that a webhook is sent now. `seq` is that of its event, None for one that was asked
    for by hand.
    """

    webhook: Webhook
    holder: UUID
    delivery: Delivery
    seq: int | None
    message: Message


def asked_for() -> QuerySet[Delivery]:
    """Return the waiting deliveries that a person asked for."""
    return Delivery.objects.filter(by_hand=True, state=DeliveryState.WAITING)


def due(now: datetime) -> QuerySet[Webhook]:
    """Return the webhooks that have something to be sent and are not held by a worker, the one whose last attempt is the
    oldest first: nobody's slow ones come before everybody else had a turn.
    """
    told = Stream.objects.filter(campaign=OuterRef("campaign"), name=TABLE).values("seq")
    behind = Q(is_on=True, seq__lt=Subquery(told)) & (Q(next_at=None) | Q(next_at__lte=now))
    asked = Exists(asked_for().filter(webhook=OuterRef("pk")))
    free = Q(held_until=None) | Q(held_until__lte=now)
    return Webhook.objects.filter(free, behind | asked).order_by(F("tried_at").asc(nulls_first=True), "made_at")


def claim(webhook_id: UUID) -> Attempt | None:
    """Take the next message of a webhook, unless another worker has it or it need not be sent any more."""
    now, holder = timezone.now(), uuid4()
    free = Q(held_until=None) | Q(held_until__lte=now)
    if not Webhook.objects.filter(free, pk=webhook_id).update(holder=holder, held_until=now + HELD, tried_at=now):
        return None
    webhook = Webhook.objects.select_related("campaign").get(pk=webhook_id)
    attempt = _by_hand(webhook, holder, now) or _next(webhook, holder, now)
    if attempt is None:
        _let_go(webhook, holder, seq=webhook.seq)
    return attempt


def _by_hand(webhook: Webhook, holder: UUID, now: datetime) -> Attempt | None:
    delivery = asked_for().filter(webhook=webhook).order_by("pk").first()
    if delivery is None:
        return None
    event = open_events(webhook.campaign_id).filter(uid=delivery.uid).first() if delivery.uid else None
    return Attempt(webhook, holder, delivery, None, message(webhook, delivery, event, now))


def _next(webhook: Webhook, holder: UUID, now: datetime) -> Attempt | None:
    """Return the webhook's next attempt in the order of the log, and move `webhook.seq` past events that it does not
    get. After a full batch without any, the next claim continues there.
    """
    if not webhook.is_on or (webhook.next_at and webhook.next_at > now):
        return None
    stream = Stream.objects.filter(campaign=webhook.campaign_id, name=TABLE).first()
    upto = stream.seq if stream else webhook.seq
    events = open_events(webhook.campaign_id).filter(events_of(webhook.topics), seq__gt=webhook.seq, seq__lte=upto)
    batch = list(events.order_by("seq")[:READ_AT_ONCE])
    for event in batch:
        if says_something(event):
            return _of_event(webhook, holder, event, now)
    webhook.seq = batch[-1].seq if len(batch) == READ_AT_ONCE else max(upto, webhook.seq)
    return None


def _of_event(webhook: Webhook, holder: UUID, event: Event, now: datetime) -> Attempt:
    waiting = webhook.deliveries.filter(uid=event.uid, by_hand=False, state=DeliveryState.WAITING)
    delivery = waiting.first() or Delivery(webhook=webhook, uid=event.uid, kind=event.kind, made_at=now)
    return Attempt(webhook, holder, delivery, event.seq, message(webhook, delivery, event, now))


def settle(attempt: Attempt, answer: Answer) -> None:
    """Store the result of an attempt. Does nothing if the webhook was removed, or another worker has taken it over."""
    now = timezone.now()
    delivery = attempt.delivery
    delivery.tried_at, delivery.tries = now, delivery.tries + 1
    delivery.status, delivery.answer, delivery.fault = answer.status, answer.text, answer.fault
    if answer.is_taken:
        delivery.state = DeliveryState.DELIVERED
    elif attempt.seq is None:
        delivery.state = DeliveryState.FAILED
    if attempt.seq is None:
        _written(attempt)
    elif answer.is_taken:
        _written(attempt, seq=attempt.seq, tries=0, failing_since=None, next_at=None)
    else:
        _failed(attempt, answer, now)


def _failed(attempt: Attempt, answer: Answer, now: datetime) -> None:
    webhook = attempt.webhook
    since = webhook.failing_since or now
    if answer.is_gone or now - since >= PATIENCE:
        _stop(attempt)
        return
    seconds = max(wait_after(webhook.tries), answer.wait)
    _written(attempt, tries=webhook.tries + 1, failing_since=since, next_at=now + timedelta(seconds=seconds))


def wait_after(tries: int) -> float:
    """Return the seconds to wait after so many failures before: 5, 15, 45 … and at most two hours, and up to a tenth more, so
    that not all come at the same moment to a receiver that is back."""
    return min(FIRST_WAIT * 3.0 ** min(tries, 10), LONGEST_WAIT) * random.uniform(1, 1.1)  # noqa: S311  # no secret


def _stop(attempt: Attempt) -> None:
    """Switch a webhook off, and tell the GMs and the host's log."""
    webhook = attempt.webhook
    attempt.delivery.state = DeliveryState.FAILED
    gm = Membership.objects.filter(campaign=webhook.campaign_id, role=Role.GM).order_by("left_at", "pk").first()
    with locked(webhook.campaign) as campaign:
        if not _written(attempt, is_on=False, stopped=True, next_at=None):
            return
        if gm:
            # Recorded without a name; the log needs a member as the author.
            begin(campaign, gm, uuid4()).record(WEBHOOK_STOPPED, {"host": webhook.host}, stream=GM)
    log.warning(
        "The webhook %s to %s was switched off: its receiver took nothing for too long.", webhook.pk, webhook.host
    )


def _written(attempt: Attempt, **values: object) -> bool:
    """Store the delivery and these values of the webhook, and release it; return whether it was still held."""
    with transaction.atomic():
        held = _let_go(attempt.webhook, attempt.holder, **values)
        if held:
            attempt.delivery.save()
            _clear_old(attempt.webhook)
    return held


def _let_go(webhook: Webhook, holder: UUID, **values: object) -> bool:
    held = Webhook.objects.filter(pk=webhook.pk, holder=holder)
    return held.update(holder=None, held_until=None, **values) == 1


def _clear_old(webhook: Webhook) -> None:
    """Keep as many deliveries as are shown."""
    oldest = webhook.deliveries.values_list("pk", flat=True)[Delivery.SHOWN : Delivery.SHOWN + 1].first()
    if oldest is not None:
        webhook.deliveries.filter(pk__lte=oldest).exclude(state=DeliveryState.WAITING).delete()


class Worker:
    """Sends what is due until it is told to stop, or `goes_on` returns False. `send` is webhooks.sending.post, or a
    stand-in in tests.
    """

    def __init__(self, send: Send = post, *, goes_on: Callable[[], bool] = lambda: True) -> None:
        self._send, self._goes_on = send, goes_on
        self._stopped = Flag()
        self._pool = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="webhook")
        self._under_way: dict[Future[Answer], Attempt] = {}

    def stop(self) -> None:
        """Send nothing new, and wait for what is under way. May be called from a signal handler."""
        self._stopped.set()

    def run(self) -> None:
        try:
            while self._goes_on() and not self._stopped.is_set():
                if not self.turn():
                    self._stopped.wait(EVERY)
        finally:
            self._pool.shutdown(wait=True)
            self._settle(set(self._under_way))

    def turn(self) -> bool:
        """Begin what is due, wait a moment for what is under way, and store the results. Return whether anything was
        under way.
        """
        self._begin()
        if not self._under_way:
            return False
        done, _ = wait(self._under_way, timeout=EVERY, return_when=FIRST_COMPLETED)
        self._settle(done)
        return True

    def _begin(self) -> None:
        hosts = Counter(attempt.webhook.host for attempt in self._under_way.values())
        campaigns = Counter(attempt.webhook.campaign_id for attempt in self._under_way.values())
        while len(self._under_way) < AT_ONCE and not self._stopped.is_set():
            free = AT_ONCE - len(self._under_way)
            full = Q(host__in=_full(hosts, AT_ONE_HOST)) | Q(campaign__in=_full(campaigns, AT_ONE_CAMPAIGN))
            rows = list(due(timezone.now()).exclude(full).values_list("pk", "host", "campaign")[:free])
            claimed = 0
            for pk, host, campaign in rows:
                if hosts[host] >= AT_ONE_HOST or campaigns[campaign] >= AT_ONE_CAMPAIGN:
                    continue
                if attempt := claim(pk):
                    self._under_way[self._pool.submit(self._send, *_request(attempt))] = attempt
                    hosts[host] += 1
                    campaigns[campaign] += 1
                claimed += 1
            if not claimed or len(rows) < free:
                return

    def _settle(self, done: set[Future[Answer]]) -> None:
        for future in done:
            settle(self._under_way.pop(future), future.result())


def _full(under_way: Counter[Any], most: int) -> list[Any]:
    return [one for one, many in under_way.items() if many >= most]


def _request(attempt: Attempt) -> tuple[str, bytes, dict[str, str]]:
    sent = attempt.message
    return sent.address, sent.body, sent.headers
