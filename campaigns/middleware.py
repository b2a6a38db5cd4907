"""Refusals and a database that is away become answers here, so that no view repeats how to say no."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse

from campaigns.errors import Flood, Refused

AWAY = "The database does not answer. Nothing was changed; try again in a moment."
DEFAULT_SLOT = "notice"


class LargestBodyMiddleware:
    """Refuses what is too much to be sent at once (413) before any of it is looked at: a form or file of a size nobody needs.

    No form has been read when it is called: that is done for views, after all middleware. What each field and file may hold, the
    forms say themselves.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sent = request.META.get("CONTENT_LENGTH") or "0"
        largest = _largest(request)
        if sent.isdecimal() and int(sent[:20]) > largest:
            most = f"{largest / 1e6:.0f} MB"
            return refuse(
                request, {"": [f"That is more than the {most} that can be sent at once. Nothing was changed."]}, 413
            )
        return self.get_response(request)


def _largest(request: HttpRequest) -> int:
    """How much this request may bring: a whole log only where logs are taken in, and from those who have an account."""
    brings_log = request.path == reverse("campaign_import") and request.user.is_authenticated
    return settings.LARGEST_LOG if brings_log else settings.LARGEST_BODY


class RefusalMiddleware:
    """Answers a raised Refused with its status: to htmx with a fragment for the form's own error slot, else with a page.

    The fragment goes to `#<id of the form>-errors` (htmx names the form in HX-Trigger), else to `#notice`; what was typed
    stays where it is.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if getattr(request, "database_is_away", False):
            return refuse(request, {"": [AWAY]}, 503)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, Refused):
            response = refuse(request, {error.field or "": [error.message]}, error.status)
            if isinstance(error, Flood):
                response["Retry-After"] = str(error.retry_after)
            return response
        if isinstance(error, (OperationalError, InterfaceError)):
            return refuse(request, {"": [AWAY]}, 503)
        return None


def refuse(request: HttpRequest, errors: dict[str, list[str]], status: int) -> HttpResponse:
    """An answer that says what was wrong. `errors` maps a form field ("" for none) to its messages."""
    htmx = getattr(request, "htmx", None)
    # Without the database nobody knows who is asking, so the head of the page must not ask either.
    reader = None if status == 503 else request
    if not htmx:
        return render(reader, "refused.html", {"errors": errors, "status": status}, status=status)
    response = render(reader, "_errors.html", {"errors": errors, "form_id": htmx.trigger or ""}, status=status)
    slot = f"{htmx.trigger}-errors" if htmx.trigger else DEFAULT_SLOT
    response["HX-Retarget"] = f"#{slot}"
    response["HX-Reswap"] = "innerHTML"
    return response
