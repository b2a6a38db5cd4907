"""Answers that are sent while they are written, no matter how long."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_sequence

CHUNK = 32_768  # characters that are sent at once, at least
JSONL = "application/jsonl; charset=utf-8"


def streamed(request: HttpRequest, text: Iterator[str], kind: str, name: str) -> HttpResponse:
    """Text of a content type, as a file of this name; "" for a page. Nobody but the reader keeps it."""
    pieces: Iterator[bytes] = _chunks(text)
    packed = "gzip" in request.headers.get("Accept-Encoding", "")
    if packed:
        # The middleware would pack each piece of an asynchronous answer by itself: browsers read the first, and no further.
        pieces = compress_sequence(pieces, max_random_bytes=GZipMiddleware.max_random_bytes)
    answer = StreamingHttpResponse(_as_served(request, pieces), content_type=kind)
    patch_vary_headers(answer, ("Accept-Encoding",))
    if packed:
        answer["Content-Encoding"] = "gzip"
    if name:
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    # Of its own class beside HttpResponse; what stands between it and the server knows both.
    return cast(HttpResponse, answer)


def _chunks(text: Iterator[str]) -> Iterator[bytes]:
    """The same in pieces worth sending."""
    held: list[str] = []
    size = 0
    for piece in text:
        held.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield "".join(held).encode()
            held, size = [], 0
    yield "".join(held).encode()


def _as_served(request: HttpRequest, pieces: Iterator[bytes]) -> Any:
    """Django reads a plain iterator whole before it sends any of it over ASGI, and an asynchronous one whole over WSGI."""
    return _stepwise(pieces) if isinstance(request, ASGIRequest) else pieces


async def _stepwise(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    step = sync_to_async(lambda: next(pieces, None))
    while (piece := await step()) is not None:
        yield piece
