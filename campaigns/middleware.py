"""Refusals, what cannot be read, and a database that is away become answers here, so that no view repeats how to say no."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Mapping, Sequence

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.defaults import bad_request

from campaigns.errors import Blocked, RateLimited, ServiceError
from campaigns.metrics import REFUSED
from database.fullness import is_full
from languages.text import gettext_lazy

log = logging.getLogger(__name__)

AWAY = gettext_lazy("The database isn’t answering. Nothing was changed. Try again in a moment.")
FULL = gettext_lazy(
    "Nothing can be saved right now: the server’s disk is full or locked. Nothing was changed, and you can still read "
    "everything. Let whoever runs this site know."
)
DEFAULT_SLOT = "notice"
FORM_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,99}")

UTF_8 = ("utf-8", "utf8")
OTHER_ENCODING = gettext_lazy(
    "That was sent in an encoding other than UTF-8, so it can’t be read. Nothing was changed."
)
TOO_OFTEN = gettext_lazy("That was tried too often. Wait a few minutes, then try again.")
UNREADABLE = gettext_lazy("The request couldn’t be read. Nothing was changed.")
TOO_MUCH: dict[type[Exception], tuple[str, int]] = {
    TooManyFieldsSent: (gettext_lazy("That’s too many fields at once. Nothing was changed."), 400),
    TooManyFilesSent: (gettext_lazy("That’s too many files at once. Nothing was changed."), 400),
    RequestDataTooBig: (gettext_lazy("That’s too much at once. Nothing was changed."), 413),
}


class LargestBodyMiddleware:
    """Refuses bodies that are too large (413) before reading any of them.

    Forms are read only after this; their own limits are for each field and file.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        sent = request.META.get("CONTENT_LENGTH") or "0"
        largest = _largest(request)
        if sent.isdecimal() and int(sent[:20]) > largest:
            message = _("You can send up to {most} MB at once. Nothing was changed.").format(
                most=f"{largest / 1e6:.0f}"
            )
            return refuse(request, {"": [message]}, 413)
        return self.get_response(request)


class ReadableFormMiddleware:
    """Refuses a form that cannot be read (400), and any that declares an encoding other than UTF-8.

    Django would decode it with whichever of Python's codecs has that name. Some are no text encodings, and fail; others
    would let a form say something other than it seems to. The form is read here, and not on first use: a parser error
    that Django does not expect would be answered as our fault.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        charset = (request.content_params or {}).get("charset", "utf-8")
        if charset.lower() not in UTF_8:
            return refuse(request, {"": [OTHER_ENCODING]}, 400)
        try:
            request.POST  # noqa: B018
        except (TypeError, ValueError, LookupError):
            return refuse(request, {"": [UNREADABLE]}, 400)
        return self.get_response(request)


def _largest(request: HttpRequest) -> int:
    """Return the largest body of this request: a whole campaign only for the import, and only with an account."""
    brings_one = request.path == reverse("campaign_import") and request.user.is_authenticated
    return settings.LARGEST_CAMPAIGN if brings_one else settings.LARGEST_BODY


class RefusalMiddleware:
    """Answers a raised ServiceError with its status: to htmx with a fragment for the form's own error slot, else with a page.

    The fragment goes to `#<id of the form>-errors` (htmx names the form in HX-Trigger), else to `#notice`; the typed values
    stay.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if getattr(request, "database_is_away", False):
            return refuse(request, {"": [AWAY]}, 503)
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if isinstance(error, ServiceError):
            anyway = error.anyway if isinstance(error, Blocked) else None
            response = refuse(request, error.errors, error.status, anyway)
            if isinstance(error, RateLimited):
                response["Retry-After"] = str(error.retry_after)
            return response
        if is_full(error):
            log.error("Nothing can be written, so a change was refused: %s", error)
            return refuse(request, {"": [FULL]}, 503)
        if isinstance(error, (OperationalError, InterfaceError)):
            return refuse(request, {"": [AWAY]}, 503)
        return None


def unreadable(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return our page for requests that Django refuses itself (`handler400`): too many fields or files, or unreadable ones."""
    if isinstance(exception, DisallowedHost):
        # Raised before anybody knows who is asking, and to no one who came by a link of ours.
        return bad_request(request, exception)
    words, status = TOO_MUCH.get(type(exception), (UNREADABLE, 400))
    # Drawing the page must not read it a second time.
    request.GET = QueryDict()
    return refuse(request, {"": [words]}, status)


def too_often(request: HttpRequest) -> HttpResponse:
    """Answer where allauth has counted too many attempts, to sign in, to sign up or to be sent mail."""
    return refuse(request, {"": [TOO_OFTEN]}, 429)


def refuse(
    request: HttpRequest, errors: Mapping[str, Sequence[str]], status: int, anyway: tuple[str, str] | None = None
) -> HttpResponse:
    """Return an answer with the errors. `errors` maps a form field ("" for none) to its messages; `anyway` is as in `Blocked`."""
    REFUSED.labels(status).inc()
    htmx = getattr(request, "htmx", None)
    # Without the database the reader is unknown, so the head of the page must not ask for them.
    reader = None if status == 503 else request
    if not htmx:
        return render(reader, "refused.html", {"errors": errors, "status": status}, status=status)
    response = render(reader, "_errors.html", {"errors": errors, "anyway": anyway}, status=status)
    # What a header says may be anything; only what can be the id of a form goes back into one.
    form_id = htmx.trigger if FORM_ID.fullmatch(htmx.trigger or "") else None
    response["HX-Retarget"] = f"#{form_id}-errors" if form_id else f"#{DEFAULT_SLOT}"
    response["HX-Reswap"] = "innerHTML"
    return response
