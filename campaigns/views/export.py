"""The log to take away, as files and as a page for paper."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from datetime import tzinfo
from typing import Any, cast

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.middleware.gzip import GZipMiddleware
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.text import compress_sequence
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from campaigns.access import member_view
from campaigns.errors import Invalid
from campaigns.forms.log import LogFilter
from campaigns.models import Role, Viewer
from campaigns.queries import export
from campaigns.queries.log_lines import heads
from campaigns.queries.search import EVERYTHING, OLDEST_FIRST, LogFilters

CHUNK = 32_768  # characters that are sent at once, at least
JSONL = "application/jsonl; charset=utf-8"
LONGEST_NUMBER = 15  # digits

Form = Callable[[Viewer, LogFilters, tzinfo], Iterator[str]]

# By the name in the address: the writer, the title, and the file extension; "" for a page.
FORMS: dict[str, tuple[Form, str, str]] = {
    "jsonl": (lambda viewer, wanted, zone: export.as_jsonl(viewer, wanted), JSONL, "jsonl"),
    "csv": (lambda viewer, wanted, zone: export.as_csv(viewer, wanted), "text/csv; charset=utf-8", "csv"),
    "markdown": (export.as_markdown, "text/markdown; charset=utf-8", "md"),
    "page": (export.as_page, "text/html; charset=utf-8", ""),
}


@require_GET
@member_view(Role.SPECTATOR)
def log_export(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Send the log in the form that `as` names, filtered as the log's own page is. Raises Invalid for filters that cannot be."""
    filters = LogFilter(viewer, request.GET)
    chosen = request.GET.get("as", "jsonl")
    if chosen not in FORMS:
        raise Invalid(_("The log can’t be exported in this format. Go back and choose one."), field="as")
    if not filters.is_valid():
        raise Invalid(_("One of the filters can’t be used. Go back to the log to see which."))
    return exported(request, viewer, filters.wanted, chosen)


def exported(request: HttpRequest, viewer: Viewer, wanted: LogFilters, form: str) -> HttpResponse:
    """Return the log as far as it is wanted, in one of the FORMS."""
    write, kind, ending = FORMS[form]
    part = "" if wanted in (EVERYTHING, OLDEST_FIRST) else "-part"
    # Read now: by the time it is written, the reader's language and time zone are no longer set.
    text = _in_language(get_language(), write(viewer, wanted, timezone.get_current_timezone()))
    return streamed(request, text, kind, ending and f"{viewer.campaign.slug}-log{part}.{ending}")


def _in_language(language: str | None, text: Iterator[str]) -> Iterator[str]:
    """Yield the pieces of a text, each of them written in this language."""
    while True:
        with override(language):
            piece = next(text, None)
        if piece is None:
            return
        yield piece


@require_GET
@member_view(Role.SPECTATOR)
def chain(request: HttpRequest, viewer: Viewer) -> JsonResponse:
    """Return the state of each stream that this viewer sees, as `heads` does; kept numbers are in the query (`?table=12`)."""
    names = (name for name in request.GET if name.isprintable())
    numbers = {name: int(kept) for name in names if _is_number(kept := request.GET.get(name, ""))}
    answer = JsonResponse(heads(viewer, numbers))
    answer["Cache-Control"] = "no-store"
    return answer


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER


def streamed(request: HttpRequest, text: Iterator[str], kind: str, name: str) -> HttpResponse:
    """Return text of a content type, as a file of this name; "" for a page. Only the reader may cache it."""
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
    # Its class is a sibling of HttpResponse; middleware and server handle both.
    return cast(HttpResponse, answer)


def _chunks(text: Iterator[str]) -> Iterator[bytes]:
    """Yield the same in pieces worth sending."""
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
    """Return an iterator for the server: Django reads a plain one whole before sending it over ASGI, and an
    asynchronous one over WSGI.
    """
    return _stepwise(pieces) if isinstance(request, ASGIRequest) else pieces


async def _stepwise(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    step = sync_to_async(lambda: next(pieces, None))
    while (piece := await step()) is not None:
        yield piece
