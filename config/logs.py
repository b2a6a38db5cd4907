"""The format of logs, without addresses: some hold the tokens of invitations and of forgotten passwords."""

from __future__ import annotations

import io
import logging
import os
import sys
from datetime import UTC, datetime
from typing import Any
from urllib.parse import unquote

from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest
from django.urls import resolve
from django.urls.exceptions import Resolver404
from django.urls.resolvers import RegexPattern, URLResolver
from environs import EnvError
from pythonjsonlogger.core import RESERVED_ATTRS
from pythonjsonlogger.json import JsonFormatter

NOWHERE = "an address that is not there"
LONGEST = 300  # letters of what a stranger may write into a log


class Moments(logging.Formatter):
    """Tells times with their zone: 2026-11-23T20:15:02.417+00:00."""

    def formatTime(self, record: logging.LogRecord, datefmt: str | None = None) -> str:  # logging's name
        return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


class Text(Moments):
    """A line, and a traceback below it."""

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name}: {message}", style="{")


class Json(Moments, JsonFormatter):
    """One JSON object, with its traceback in it."""

    def __init__(self) -> None:
        # uvicorn tells everything twice, once with colours.
        super().__init__(
            "{asctime}{levelname}{name}{message}", style="{", reserved_attrs=[*RESERVED_ATTRS, "color_message"]
        )


FORMS = {"text": Text, "json": Json}


def chosen() -> logging.Formatter:
    """Return the formatter of LOG_FORMAT, for logs from before the site is loaded or where it cannot be (config/uvicorn.json)."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        from django.conf import settings

        form = settings.LOG_FORMAT
    except (ImproperlyConfigured, EnvError):
        form = os.environ.get("LOG_FORMAT", "text")
    return FORMS.get(form, Text)()


class Lines(io.TextIOBase):
    """A stream whose lines are logged: what a command of a unit prints, as the server's own lines."""

    def __init__(self, command: str, level: int) -> None:
        self._log, self._level, self._rest = logging.getLogger(command), level, ""

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        *lines, self._rest = (self._rest + text).split("\n")
        for line in filter(None, lines):
            self._log.log(self._level, line)
        return len(text)

    def flush(self) -> None:
        if self._rest:
            self.write("\n")


def log_what_is_printed(command: str) -> None:
    """Log what a command prints, among the server's entries, when systemd or a container runs it."""
    sys.stdout, sys.stderr = Lines(command, logging.INFO), Lines(command, logging.ERROR)


class QuietSockets(logging.Filter):
    """Puts each socket that opens or closes at DEBUG, as requests that go well are not logged either; a filter of a logger."""

    LINES = ("connection open", "connection closed")

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno == logging.INFO and (record.msg in self.LINES or "[accepted]" in str(record.msg)):
            record.levelno, record.levelname = logging.DEBUG, "DEBUG"
            return logging.getLogger(record.name).isEnabledFor(logging.DEBUG)
        return True


class NoAddresses(logging.Filter):
    """Puts the route of a request or socket ("join/<str:token>/") wherever its path would be logged, and leaves out from where
    a socket comes; a filter of a handler.

    `record.request` becomes text, too: a formatter for JSON writes everything in a record.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == "uvicorn.error" and "WebSocket" in str(record.msg):
            _, path, *rest = _args(record)
            record.msg, record.args = str(record.msg).replace("%s - ", "", 1), (_route_of_socket(str(path)), *rest)
        request = getattr(record, "request", None)
        if isinstance(request, HttpRequest):
            route = _route(request)
            # As Django's log_response writes it.
            path = request.path.encode("unicode_escape").decode("ascii")
            record.args = tuple(route if value == path else value for value in _args(record))
            record.request = f"{request.method} {route}"
        return True


class BriefRefusals(logging.Filter):
    """One line for each request that Django holds for an attack, without a traceback; a filter of a handler.

    A wrong host name is a scanner's, mostly, and sometimes the only trace of a proxy or ALLOWED_HOSTS that is set wrongly.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("django.security."):
            record.msg, record.args = record.getMessage()[:LONGEST], ()
            record.exc_info = record.exc_text = None
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return True


def _args(record: logging.LogRecord) -> tuple[object, ...]:
    return record.args if isinstance(record.args, tuple) else ()


def _route(request: HttpRequest) -> str:
    try:
        match = request.resolver_match or resolve(request.path_info)  # refused before it was looked up
    except Resolver404:
        return NOWHERE
    return f"/{match.route}"


def _route_of_socket(path: str) -> str:
    # Here, since the log begins before the site is loaded.
    from campaigns.consumers import websocket_urlpatterns

    try:
        match = URLResolver(RegexPattern("^/"), websocket_urlpatterns).resolve(unquote(path.partition("?")[0]))
    except Resolver404:
        return NOWHERE
    return f"/{match.route.removeprefix('^/')}"


def settings_of(form: str) -> dict[str, Any]:
    """Return Django's setting LOGGING; `form` is "text" or "json"."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {name: {"()": f"{form.__module__}.{form.__qualname__}"} for name, form in FORMS.items()},
        "filters": {
            "no_addresses": {"()": "config.logs.NoAddresses"},
            "brief_refusals": {"()": "config.logs.BriefRefusals"},
            "quiet_sockets": {"()": "config.logs.QuietSockets"},
        },
        "handlers": {
            "nowhere": {"class": "logging.NullHandler"},
            "console": {
                "class": "logging.StreamHandler",
                # Even if stderr was replaced: `Lines` would log what it logs.
                "stream": "ext://sys.__stderr__",
                "filters": ["no_addresses", "brief_refusals"],
                "formatter": form,
            },
        },
        "root": {"handlers": ["console"], "level": "INFO"},
        # Replaces the handlers of Django and uvicorn: one line per fact, in one format.
        "loggers": {
            **{name: {"handlers": [], "propagate": True} for name in ("django", "uvicorn")},
            "uvicorn.error": {"handlers": [], "propagate": True, "filters": ["quiet_sockets"]},
            # Addresses hold the tokens of invitations.
            "uvicorn.access": {"handlers": ["nowhere"], "propagate": False},
        },
    }
