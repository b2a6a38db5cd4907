"""Messages to receivers: what everyone at the table may read of an event now, in the receiver's format.

An event is drawn for a spectator, from the table's stream alone. Erased texts are left out, and corrections are marked.
"""

from __future__ import annotations

import hmac
import json
from base64 import b64decode, b64encode
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaigns import chain
from campaigns.kinds import topics
from campaigns.live.render import BESIDE, escaped, event_data, render_body, to_markdown
from campaigns.models import Campaign, Event, Membership, Role
from campaigns.models.log import EventQuerySet
from campaigns.models.members import TABLE
from people.middleware import language_of
from webhooks.models import Delivery, Format, Webhook

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
