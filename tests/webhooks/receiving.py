"""The other end of a webhook: a stand-in for sending that keeps what it is sent, and answers as a test says."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from campaigns.models import Membership
from webhooks import services
from webhooks.delivery import Worker
from webhooks.models import Format, Webhook
from webhooks.sending import Answer

ADDRESS = "https://bots.example.org/table"
TAKEN = Answer(204)
REFUSED = Answer(500, "Out of order")
GONE = Answer(410)


@dataclass
class Receiver:
    """Answers with `answers`, one after another, and then takes everything."""

    answers: list[Answer] = field(default_factory=list)
    requests: list[tuple[str, bytes, dict[str, str]]] = field(default_factory=list)

    def __call__(self, address: str, body: bytes, headers: dict[str, str]) -> Answer:
        self.requests.append((address, body, headers))
        return self.answers.pop(0) if self.answers else TAKEN

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [json.loads(body) for _, body, _ in self.requests]

    @property
    def types(self) -> list[str]:
        return [body["type"] for body in self.bodies]

    @property
    def texts(self) -> list[str]:
        return [body["data"]["text"] for body in self.bodies]


def deliver(send: Callable[[str, bytes, dict[str, str]], Answer]) -> None:
    """Send all that is due now."""
    worker = Worker(send)
    while worker.turn():
        pass
    worker.stop()
    worker.run()


def add(by: Membership, *topics: str, sent_as: Format = Format.STANDARD, address: str = ADDRESS) -> Webhook:
    """Add a webhook that is told of rolls, or of these."""
    return services.add_webhook(by, address, sent_as=sent_as, topics=topics or ["roll"], key=uuid4())
