"""How much of what is sent to us is kept at all."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

App = Callable[[Any, Any, Any], Awaitable[None]]


class BoundedBody:
    """ASGI: no more than `most` bytes of a request's body go on to `app`, and it knows how many were sent.

    Django writes the whole of a body to disk before it looks at anything, and one that comes in chunks does not say how long it
    is: neither Django's own limits nor ours would be asked. Such a one is told by its length once it is here; what is over `most`
    is let go, and refused by that length (campaigns.middleware).
    """

    def __init__(self, app: App, most: int) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        sent = 0

        async def bounded() -> Any:
            nonlocal sent
            message = await receive()
            if message["type"] != "http.request":
                return message
            sent += len(message.get("body", b""))
            if not message.get("more_body"):
                _measured(scope, sent)
            return message if sent <= self.most else message | {"body": b""}

        await self.app(scope, bounded, send)


def _measured(scope: dict[str, Any], sent: int) -> None:
    """What declares a length is held to it by the server."""
    if sent and b"content-length" not in dict(scope["headers"]):
        scope["headers"] = [*scope["headers"], (b"content-length", str(sent).encode())]
