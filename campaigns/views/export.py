"""The log to take away, as files and as a page for paper."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import tzinfo

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_GET

from campaigns.access import member_view
from campaigns.errors import Invalid
from campaigns.forms.log import LogFilter
from campaigns.models import Role, Viewer
from campaigns.queries import export
from campaigns.queries.log_filters import LogFilters
from campaigns.views.streaming import JSONL, streamed

Form = Callable[[Viewer, LogFilters, tzinfo], Iterator[str]]

# By the name in the address: how it is written, what it is called, and how its file ends; "" for a page.
FORMS: dict[str, tuple[Form, str, str]] = {
    "jsonl": (lambda viewer, wanted, _: export.as_jsonl(viewer, wanted), JSONL, "jsonl"),
    "csv": (lambda viewer, wanted, _: export.as_csv(viewer, wanted), "text/csv; charset=utf-8", "csv"),
    "markdown": (export.as_markdown, "text/markdown; charset=utf-8", "md"),
    "page": (export.as_page, "text/html; charset=utf-8", ""),
}


@require_GET
@member_view(Role.SPECTATOR)
def log_export(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The log in the form that `as` names, filtered as the log's own page is. Raises Invalid for filters that cannot be."""
    filters = LogFilter(viewer, request.GET)
    chosen = FORMS.get(request.GET.get("as", "jsonl"))
    if chosen is None:
        raise Invalid("There is no such form of the log. Go back and choose one.", field="as")
    if not filters.is_valid():
        raise Invalid("One of the filters is not possible. Go back to the log, which says which.")
    write, kind, ending = chosen
    part = "-part" if filters.chosen else ""
    # Named now: by the time it is written, nobody knows any more who asked.
    text = write(viewer, filters.wanted, timezone.get_current_timezone())
    return streamed(request, text, kind, ending and f"{viewer.campaign.slug}-log{part}.{ending}")
