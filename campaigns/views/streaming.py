"""Answers that are sent while they are written, no matter how long."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse

CHUNK = 32_768  # characters that are sent at once, at least
JSONL = "application/jsonl; charset=utf-8"


def streamed(request: HttpRequest, text: Iterator[str], kind: str, name: str) -> HttpResponse:
    """Text of a content type, as a file of this name; "" for a page. Nobody but the reader keeps it."""
    answer = StreamingHttpResponse(_as_served(request, _chunks(text)), content_type=kind)
    if name:
        answer["Content-Disposition"] = f'attachment; filename="{name}"'
    answer["Cache-Control"] = "no-store"
    # Of its own class beside HttpResponse; what stands between it and the server knows both.
    return cast(HttpResponse, answer)


def _chunks(text: Iterator[str]) -> Iterator[str]:
    """The same in pieces worth sending."""
    held, size = [], 0
    for piece in text:
        held.append(piece)
        size += len(piece)
        if size >= CHUNK:
            yield "".join(held)
            held, size = [], 0
    yield "".join(held)


def _as_served(request: HttpRequest, text: Iterator[str]) -> Any:
    """Django reads a plain iterator whole before it sends any of it over ASGI, and an asynchronous one whole over WSGI."""
    return _stepwise(text) if isinstance(request, ASGIRequest) else text


async def _stepwise(text: Iterator[str]) -> AsyncIterator[str]:
    step = sync_to_async(lambda: next(text, None))
    while (piece := await step()) is not None:
        yield piece
