"""The log to take away, as files and as a page for paper."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from datetime import tzinfo
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from campaigns.access import Seat, member_view
from campaigns.errors import Invalid
from campaigns.forms.log import LogFilter
from campaigns.models import Role
from campaigns.services import export
from campaigns.services.search import Wanted

Form = Callable[[Seat, Wanted, tzinfo], Iterator[str]]

# By the name in the address: how it is written, what it is called, and how its file ends; "" for a page.
FORMS: dict[str, tuple[Form, str, str]] = {
    "jsonl": (lambda seat, wanted, _: export.as_jsonl(seat, wanted), "application/jsonl; charset=utf-8", "jsonl"),
    "csv": (lambda seat, wanted, _: export.as_csv(seat, wanted), "text/csv; charset=utf-8", "csv"),
    "markdown": (export.as_markdown, "text/markdown; charset=utf-8", "md"),
    "page": (export.as_page, "text/html; charset=utf-8", ""),
}
CHUNK = 32_768  # characters that are sent at once, at least


@require_GET
@member_view(Role.SPECTATOR)
def log_export(request: HttpRequest, seat: Seat) -> HttpResponse:
    """The log in the form that `as` names, filtered as the log's own page is. Raises Invalid for filters that cannot be."""
    filters = LogFilter(seat, request.GET)
    chosen = FORMS.get(request.GET.get("as", "jsonl"))
    if chosen is None:
        raise Invalid("There is no such form of the log. Go back and choose one.", field="as")
    if not filters.is_valid():
        raise Invalid("One of the filters is not possible. Go back to the log, which says which.")
    write, kind, ending = chosen
    # Named now: by the time it is written, nobody knows any more who asked.
    text = _chunks(write(seat, filters.wanted, timezone.get_current_timezone()))
    answer = StreamingHttpResponse(_as_served(request, text), content_type=kind)
    if ending:
        part = "-part" if filters.chosen else ""
        answer["Content-Disposition"] = f'attachment; filename="{seat.campaign.slug}-log{part}.{ending}"'
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
