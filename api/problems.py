"""How the API says no: problem details (RFC 9457), which name the field that is at fault."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy
from ninja import NinjaAPI
from ninja.errors import AuthenticationError, HttpError, ValidationError

from campaigns.errors import Blocked, Conflict, InvalidForm, NotFound, RateLimited, ServiceError
from campaigns.live.render import plain
from campaigns.metrics import REFUSED
from campaigns.middleware import AWAY, FULL
from database.fullness import is_full

log = logging.getLogger(__name__)

PREFIX: Final = "/api/"
CONTENT_TYPE: Final = "application/problem+json"

NO_TOKEN: Final = gettext_lazy("Send a valid token for this campaign, as “Authorization: Bearer …”.")  # no secret
NOT_JSON: Final = gettext_lazy("The body isn’t JSON in UTF-8.")
READS_ONLY: Final = gettext_lazy("This token is read-only. Create one that can write.")


def body_of(
    status: int, detail: object, errors: Mapping[str, Iterable[str]] | None = None, **more: Any
) -> dict[str, Any]:
    """Return a problem as it is sent."""
    named = [{"field": field, "detail": str(words)} for field, messages in (errors or {}).items() for words in messages]
    said = {"type": "about:blank", "title": HTTPStatus(status).phrase, "status": status, "detail": str(detail)}
    return said | ({"errors": named} if named else {}) | more


def problem(
    status: int, detail: object, errors: Mapping[str, Iterable[str]] | None = None, **more: Any
) -> HttpResponse:
    REFUSED.labels(status).inc()
    return HttpResponse(json.dumps(body_of(status, detail, errors, **more)), status=status, content_type=CONTENT_TYPE)


def handle(api: NinjaAPI) -> None:
    """Let an API answer all errors that its routes raise."""
    handlers: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
        ServiceError: _service_error,
        ValidationError: _invalid,
        AuthenticationError: _unauthorized,
        # Of ninja's own there is one that people meet: a body that cannot be parsed.
        HttpError: lambda request, error: problem(
            error.status_code, NOT_JSON if error.status_code == 400 else str(error)
        ),
        Http404: lambda request, error: problem(404, NotFound().message),
        Exception: _other,
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)


def _service_error(request: HttpRequest, error: ServiceError) -> HttpResponse:
    more: dict[str, Any] = {}
    if isinstance(error, Conflict):
        more = {"current": plain(error.current), "by": error.by}
    elif isinstance(error, Blocked) and error.anyway:
        # The form's own field and value that override the problem, for those who may.
        more = {"anyway": dict([error.anyway])}
    response = problem(
        error.status, error.message, error.errors if error.field or isinstance(error, InvalidForm) else {}, **more
    )
    if isinstance(error, RateLimited):
        response["Retry-After"] = str(error.retry_after)
    return response


def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    """Return pydantic's errors; each place begins with where it was sent (body, query, header) and the parameter."""
    errors: dict[str, list[str]] = {}
    for fault in error.errors:
        where, *place = fault["loc"]
        if where == "body" and len(place) > 1:
            place = place[1:]
        errors.setdefault(".".join(map(str, place)), []).append(f"{fault['msg']}.")
    return _service_error(request, InvalidForm(errors))


def _unauthorized(request: HttpRequest, error: AuthenticationError) -> HttpResponse:
    response = problem(401, NO_TOKEN)
    response["WWW-Authenticate"] = "Bearer"
    return response


def _other(request: HttpRequest, error: Exception) -> HttpResponse:
    if is_full(error):
        log.error("Nothing can be written, so a change was refused: %s", error)
        return problem(503, FULL)
    if isinstance(error, (OperationalError, InterfaceError)):
        return problem(503, AWAY)
    raise error
