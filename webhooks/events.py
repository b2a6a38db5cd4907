"""The kinds of events of this app (campaigns/kinds.py)."""

from __future__ import annotations

from functools import partial

from campaigns.kinds import EventKind, Indexed, Payload, Topic
from webhooks import payloads
from webhooks.choices import words_of

webhook = partial(EventKind, topic=Topic.TABLE, index=lambda payload: Indexed(words=payload["host"]))


def _described(payload: Payload) -> Payload:
    return {"topic_words": words_of(payload["topics"])}


# Everyone can see what leaves the site, and where it goes.
WEBHOOK_CHANGED = webhook("webhooks.webhook_changed", schema=payloads.WebhookChanged, describe=_described)
# No one did it, and only GMs can do something about it.
WEBHOOK_STOPPED = webhook("webhooks.webhook_stopped", schema=payloads.WebhookStopped, nameless=True)
