"""One request, as a signed-in browser sends it, without any other part of a browser."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import NamedTuple
from urllib.parse import urlencode

from bench.live_world import HOST, TOKEN

PATIENCE = 15.0  # seconds, as static/js/sheet/operations.js


class Answer(NamedTuple):
    status: int
    text: str


async def ask(port: int, path: str, session: str, form: Mapping[str, str] | None = None) -> Answer:
    """GET, or POST a form. Raises OSError without an answer, TimeoutError if it takes longer than PATIENCE."""
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write(_request(path, session, form))
            return _read(await reader.read())
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def _request(path: str, session: str, form: Mapping[str, str] | None) -> bytes:
    body = b"" if form is None else urlencode({**form, "csrfmiddlewaretoken": TOKEN}).encode()
    lines = [
        f"{'GET' if form is None else 'POST'} {path} HTTP/1.1",
        f"Host: {HOST}",
        f"Cookie: sessionid={session}; csrftoken={TOKEN}",
        "Connection: close",
        *([] if form is None else [f"Origin: http://{HOST}", "HX-Request: true", f"Content-Length: {len(body)}"]),
        *([] if form is None else ["Content-Type: application/x-www-form-urlencoded"]),
    ]
    return "\r\n".join([*lines, "", ""]).encode() + body


def _read(raw: bytes) -> Answer:
    head, ended, body = raw.partition(b"\r\n\r\n")
    if not ended:
        raise ConnectionResetError("The connection was closed before the answer.")
    return Answer(int(head.split(b" ", 2)[1]), body.decode(errors="replace"))
