"""The schemas of the payloads of this app's events (campaigns/schema.py)."""

from __future__ import annotations

from typing import Literal

from campaigns.schema import Code, Name, PayloadSchema


class WebhookChanged(PayloadSchema):
    """Who is told of what from now on, or no more. Of an address the host name alone: the rest may be a secret."""

    host: Name
    topics: list[Code]
    change: Literal["added", "on", "off", "removed"]


class WebhookStopped(PayloadSchema):
    host: Name
