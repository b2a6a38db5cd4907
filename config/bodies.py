"""Limits on what Django reads of a request: no larger body than is ever needed, and no header that it fails on."""

from __future__ import annotations

import codecs
from collections.abc import Awaitable, Callable
from typing import Any

from django.utils.http import parse_header_parameters

App = Callable[[Any, Any, Any], Awaitable[None]]

CONTENT_TYPE = b"content-type"
UNPARSABLE = b"application/octet-stream; charset=unparsable"


class BoundedBody:
    """ASGI: passes at most `most` bytes of a request's body to `app`, and counts those sent.

    Django writes the whole body to disk before it looks at anything, and a chunked one does not declare its length:
    neither Django's own limits nor ours would apply. Such a body gets its length once it is here; bytes above `most`
    are dropped, and the request is refused by that length (campaigns.middleware).
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
    """Set the content length of a body that declared none; the server checks declared ones itself."""
    if sent and b"content-length" not in dict(scope["headers"]):
        scope["headers"] = [*scope["headers"], (b"content-length", str(sent).encode())]


class ParsableType:
    """ASGI: a type of content that Django cannot parse goes on to `app` as UNPARSABLE, which is refused (campaigns.middleware).

    Django parses it while it makes the request. An error there reaches none of our code, and the server answers it as a fault
    of ours.
    """

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: dict[str, Any], receive: Callable[[], Awaitable[Any]], send: Any) -> None:
        said = b",".join(value for name, value in scope["headers"] if name == CONTENT_TYPE)
        if not _can_be_parsed(said.decode("latin-1")):
            others = [header for header in scope["headers"] if header[0] != CONTENT_TYPE]
            scope = scope | {"headers": [*others, (CONTENT_TYPE, UNPARSABLE)]}
        await self.app(scope, receive, send)


def _can_be_parsed(content_type: str) -> bool:
    try:
        _, parameters = parse_header_parameters(content_type)
        codecs.lookup(parameters.get("charset", "utf-8"))
    except LookupError:
        return True  # an unknown encoding: Django expects that
    except Exception:
        # The standard library's parser has many ways to fail: at a parameter told both whole and in parts, at too high a number.
        return False
    return True
