"""One request, as a signed-in browser or a program sends it, without any other part of either."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

from bench.live_world import HOST, TOKEN

PATIENCE = 15.0  # seconds, as static/js/sheet/operations.js
EDGE = "a-line-that-is-in-no-picture"
Form = Mapping[str, str | Sequence[str]]


class Answer(NamedTuple):
    """`did` is what was asked for, where it was part of something else."""

    status: int
    text: str
    did: str = ""


async def ask(
    port: int, path: str, session: str, form: Form | None = None, *, picture: bytes = b"", whole: bool = False
) -> Answer:
    """GET, or POST a form, with a `picture` as a file; as htmx does, unless a `whole` page is the answer. Raises OSError without
    one, TimeoutError if it takes longer than PATIENCE."""
    body, kind = b"", "application/x-www-form-urlencoded"
    if form is not None:
        form = {**form, "csrfmiddlewaretoken": TOKEN}
        body = _parts(form, picture) if picture else urlencode(form, doseq=True).encode()
        kind = f"multipart/form-data; boundary={EDGE}" if picture else kind
    posted = [f"Origin: http://{HOST}", f"Content-Type: {kind}", *([] if whole else ["HX-Request: true"])]
    headers = [f"Cookie: sessionid={session}; csrftoken={TOKEN}", *([] if form is None else posted)]
    return await _answered(port, "GET" if form is None else "POST", path, headers, body)


async def call(
    port: int, path: str, token: str, body: Any = None, *, method: str = "POST", version: str = ""
) -> Answer:
    """Call the API: GET, or with a `body` the method, over the `version` that was seen. Raises as `ask` does."""
    headers = [f"Authorization: Bearer {token}", "Content-Type: application/json"]
    headers += [] if body is None else [f"Idempotency-Key: {uuid4()}"]
    headers += [f'If-Match: "{version}"'] if version else []
    sent = b"" if body is None else json.dumps(body).encode()
    return await _answered(port, "GET" if body is None else method, f"/api/v1/campaigns/{path}", headers, sent)


async def _answered(port: int, method: str, path: str, headers: Sequence[str], body: bytes) -> Answer:
    length = [] if method == "GET" else [f"Content-Length: {len(body)}"]
    lines = [f"{method} {path} HTTP/1.1", f"Host: {HOST}", "Connection: close", *headers, *length, "", ""]
    async with asyncio.timeout(PATIENCE):
        reader, writer = await asyncio.open_connection(HOST, port)
        try:
            writer.write("\r\n".join(lines).encode() + body)
            return _read(await reader.read())
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()


def _parts(form: Form, picture: bytes) -> bytes:
    parts = [(f'name="{name}"', str(value).encode()) for name, value in form.items()]
    parts.append(('name="picture"; filename="a.png"\r\nContent-Type: image/png', picture))
    drawn = (
        f"--{EDGE}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() + text + b"\r\n" for head, text in parts
    )
    return b"".join([*drawn, f"--{EDGE}--\r\n".encode()])


def _read(raw: bytes) -> Answer:
    head, ended, body = raw.partition(b"\r\n\r\n")
    if not ended:
        raise ConnectionResetError("The connection was closed before the answer.")
    return Answer(int(head.split(b" ", 2)[1]), body.decode(errors="replace"))
