"""The worker that delivers: what `manage.py deliver` runs.

One thread queries the database and draws messages, others send them: a silent receiver delays nothing but its own
webhook. Several workers may run at once. Each claims a webhook for one attempt by a conditional UPDATE, so that nobody
else sends to it at the same time, and stores the result only while the claim is still its own. So a webhook gets
everything in order, and an event is sent again only if a worker ended between sending it and storing that.
"""

from __future__ import annotations

import hmac
import json
import logging
import random
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Event as Flag
from typing import Any, Final
from uuid import UUID, uuid4

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns import chain
from campaigns.kinds import topics
from campaigns.live.render import BESIDE, escaped, event_data, render_body, to_markdown
from campaigns.models import Campaign, Event, Membership, Role, Stream
from campaigns.models.log import EventQuerySet
from campaigns.models.members import GM, TABLE
from campaigns.services.log import begin, locked
from people.middleware import language_of
from webhooks.events import WEBHOOK_STOPPED, events_of
from webhooks.models import Delivery, DeliveryState, Format, Webhook
from webhooks.sending import Answer, post

# Messages to receivers: what everyone at the table may read of an event now, in the receiver's format.
#
# An event is drawn for a spectator, from the table's stream alone. Erased texts are left out, and corrections are marked.


TEST: Final = "webhooks.test"
READER: Final = Role.SPECTATOR
LONGEST_DESCRIPTION: Final = 3500
"""Characters; Discord takes 4096 there, and 6000 in all."""
LONGEST_NAME: Final = 250


@dataclass(frozen=True)
class Message:
    """One request to a receiver."""

    address: str
    body: bytes
    headers: dict[str, str]


def open_events(campaign_id: Any) -> EventQuerySet:
    """Return the events of a campaign that everyone at its table may read, with everything that messages need."""
    events = Event.objects.filter(campaign=campaign_id, stream__name=TABLE)
    return events.with_related().linked().select_related("campaign", "index").prefetch_related(*BESIDE)


def says_something(event: Event) -> bool:
    """Return whether an event has a line in the log; some only update displays."""
    return bool(render_body(event, READER))


def message(webhook: Webhook, delivery: Delivery, event: Event | None, now: datetime) -> Message:
    """Return the webhook's message for an event, in the language of its readers; the test message without one."""
    campaign = webhook.campaign
    with translation.override(language_at(campaign)):
        made = _for_discord(campaign, event, now) if webhook.format == Format.DISCORD else _ours(campaign, event, now)
    body = json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {"Content-Type": "application/json", "User-Agent": f"Afterburn ({settings.SITE_URL})"}
    if webhook.format == Format.STANDARD:
        headers |= _signed(webhook.secret, _id(delivery, event), now, body)
    return Message(webhook.address, body, headers)


def language_at(campaign: Campaign) -> str:
    """Return the language of messages about a campaign: that of its first GM."""
    gms = Membership.objects.filter(campaign=campaign, role=Role.GM, left_at=None).order_by("pk")
    return language_of(gms.values_list("user__language", flat=True).first())


def _test_words() -> str:
    return _("This is a test. Messages about this table arrive here.")


def _id(delivery: Delivery, event: Event | None) -> str:
    """Return the id by which a receiver recognises a repeated message: the same whenever an event is sent."""
    return f"evt_{event.uid.hex}" if event else f"test_{delivery.pk}"


def _signed(secret: str, message_id: str, now: datetime, body: bytes) -> dict[str, str]:
    """Return the headers of the Standard Webhooks scheme."""
    moment = str(int(now.timestamp()))
    signed = b".".join([message_id.encode(), moment.encode(), body])
    signature = hmac.digest(b64decode(secret.removeprefix("whsec_")), signed, "sha256")
    return {
        "webhook-id": message_id,
        "webhook-timestamp": moment,
        "webhook-signature": f"v1,{b64encode(signature).decode()}",
    }


def _link(campaign: Campaign, event: Event | None) -> str:
    path = reverse("log_event", args=[campaign.slug, event.uid]) if event else campaign.url
    return f"{settings.SITE_URL}{path}"


def _ours(campaign: Campaign, event: Event | None, now: datetime) -> dict[str, Any]:
    about = {"name": campaign.name, "slug": campaign.slug, "url": f"{settings.SITE_URL}{campaign.url}"}
    told = event_data(event, READER) if event else None
    return {
        "type": event.kind if event else TEST,
        "timestamp": chain.moment(event.at if event else now),
        "data": {
            "campaign": about,
            "text": told["text"] if told else _test_words(),
            "link": _link(campaign, event),
            "event": told,
        },
    }


def _for_discord(campaign: Campaign, event: Event | None, now: datetime) -> dict[str, Any]:
    """Return a message that mentions nobody, whatever was typed, and in which only our Markdown works."""
    words = to_markdown(render_body(event, READER)) if event else escaped(_test_words())
    embed = {
        "author": {"name": _shortened(campaign.name, LONGEST_NAME)},
        "title": _title(event),
        "url": _link(campaign, event),
        "description": _shortened(words, LONGEST_DESCRIPTION),
        "timestamp": chain.moment(event.at if event else now),
    }
    return {"embeds": [embed], "allowed_mentions": {"parse": []}}


def _title(event: Event | None) -> str:
    if event is None:
        return pgettext("a delivery", "Test")
    return _shortened(str(topics().get(event.index.topic, event.index.topic)), LONGEST_NAME)


def _shortened(text: str, most: int) -> str:
    """Return a text of no more than so many characters; no sign that guards another one is left without it."""
    return text if len(text) <= most else f"{text[: most - 1].rstrip(chr(92))}…"


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
