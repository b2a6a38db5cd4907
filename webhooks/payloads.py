"""The schemas of the payloads of this app's events (campaigns/schema.py)."""

from __future__ import annotations

from typing import Literal

from campaigns.schema import Code, Name, PayloadSchema


class WebhookChanged(PayloadSchema):
    """A webhook was added, changed or removed. Only its host name is told: the rest of the address may be a secret."""

    host: Name
    topics: list[Code]
    change: Literal["added", "on", "off", "removed"]


class WebhookStopped(PayloadSchema):
    host: Name
