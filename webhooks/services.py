"""GMs' operations on webhooks. The table is told which hosts its events go to, and which no longer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.dispatch import receiver
from django.utils.translation import gettext as _

from campaigns.errors import Invalid, existing
from campaigns.kinds import words_erased
from campaigns.models import Campaign, Membership, Role, Stream
from campaigns.models.members import TABLE
from campaigns.services.log import UnitOfWork, service
from webhooks.delivery import asked_for
from webhooks.events import WEBHOOK_CHANGED, offered
from webhooks.models import Delivery, DeliveryState, Format, Webhook
from webhooks.sending import Target

MOST_ASKED = 20
"""The most deliveries of one webhook that may wait on request."""


@service(Role.GM)
def add_webhook(work: UnitOfWork, address: str, *, sent_as: Format, topics: Sequence[str], key: UUID) -> Webhook:
    """Send an address what happens from now on. Its messages are signed with its `secret`, which is only shown now."""
    if work.campaign.webhooks.count() >= Webhook.MOST:
        raise Invalid(_("The limit is {most}. Remove a webhook first.").format(most=Webhook.MOST))
    chosen = [name for name in offered() if name in topics]
    if not chosen:
        raise Invalid(_("Choose what to send."), field="topics")
    try:
        target = Target.of(address)
    except ValueError:
        raise Invalid(_("That’s not a web address."), field="address") from None
    webhook = Webhook(
        pk=work.key,
        campaign=work.campaign,
        address=address,
        host=target.host,
        format=sent_as,
        topics=chosen,
        made_at=work.now,
    )
    _tell(work, webhook, "added")
    webhook.seq = _told_so_far(work)
    webhook.save(force_insert=True)
    return webhook


@service(Role.GM)
def switch_webhook(work: UnitOfWork, webhook_id: UUID, *, on: bool, key: UUID) -> Webhook:
    """Switch a webhook on or off. It never gets the events from while it is off."""
    webhook = webhook_of(work.campaign, webhook_id)
    if webhook.is_on != on:
        _tell(work, webhook, "on" if on else "off")
        webhook.is_on, webhook.stopped = on, False
        webhook.seq, webhook.tries = _told_so_far(work), 0
        # An attempt under way must not overwrite this with its earlier state.
        webhook.failing_since = webhook.next_at = webhook.holder = None
        webhook.save()
        webhook.deliveries.filter(state=DeliveryState.WAITING, by_hand=False).update(state=DeliveryState.FAILED)
    return webhook


@service(Role.GM, archived=True)
def remove_webhook(work: UnitOfWork, webhook_id: UUID, *, key: UUID) -> Campaign:
    """Send it nothing more, and forget its deliveries."""
    webhook = webhook_of(work.campaign, webhook_id)
    _tell(work, webhook, "removed")
    webhook.delete()
    return work.campaign


@service(Role.GM, archived=True)
def send_test(work: UnitOfWork, webhook_id: UUID, *, key: UUID) -> Delivery:
    """Have a message sent that says that it is a test, also where the webhook is off."""
    return _ask(work, webhook_of(work.campaign, webhook_id), uid=None, kind="")


@service(Role.GM, archived=True)
def send_again(work: UnitOfWork, delivery_id: int, *, key: UUID) -> Webhook:
    """Send an event again, as it is in the log now; return its webhook."""
    again = existing(
        Delivery.objects.select_related("webhook").filter(pk=delivery_id, webhook__campaign=work.campaign).first()
    )
    _ask(work, again.webhook, uid=again.uid, kind=again.kind)
    return again.webhook


def webhook_of(campaign: Campaign, webhook_id: UUID) -> Webhook:
    """Return a webhook of this campaign. Raises NotFound."""
    return existing(Webhook.objects.filter(campaign=campaign, pk=webhook_id).first())


def _ask(work: UnitOfWork, webhook: Webhook, *, uid: UUID | None, kind: str) -> Delivery:
    if asked_for().filter(webhook=webhook).count() >= MOST_ASKED:
        raise Invalid(_("Wait until what you asked for has been sent."))
    return Delivery.objects.create(webhook=webhook, uid=uid, kind=kind, by_hand=True, made_at=work.now)


def _told_so_far(work: UnitOfWork) -> int:
    """Return the number of the last event in the table's stream, this operation's own included."""
    stream = work.streams.get(TABLE) or Stream.objects.get(campaign=work.campaign, name=TABLE)
    return stream.seq


def _tell(work: UnitOfWork, webhook: Webhook, change: str) -> None:
    work.record(WEBHOOK_CHANGED, {"host": webhook.host, "topics": webhook.topics, "change": change})


@receiver(words_erased)
def forget_answers(member: Membership, **named: Any) -> None:
    """Delete receivers' answers, which often repeat what they were sent. Sent messages are not stored."""
    Delivery.objects.filter(webhook__campaign=member.campaign_id).exclude(answer="").update(answer="")
