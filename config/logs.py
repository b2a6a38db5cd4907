"""What is logged how, without addresses: some hold the tokens of invitations and of forgotten passwords."""

from __future__ import annotations

import logging
from typing import Any

from django.http import HttpRequest

NOWHERE = "an address that is not there"
LONGEST = 300  # letters of what a stranger may write into a log


class NoAddresses(logging.Filter):
    """Puts a request's route ("join/<str:token>/") wherever Django would log its path; a filter of a handler.

    `record.request` becomes words, too: a formatter for JSON writes down all that a record holds.
    """

    def filter(self, record: logging.LogRecord) -> bool:
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
    match = request.resolver_match
    return f"/{match.route}" if match else NOWHERE


def settings_of(form: str) -> dict[str, Any]:
    """Django's setting LOGGING; `form` is "text" or "json"."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "text": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
            "json": {
                "()": "pythonjsonlogger.json.JsonFormatter",
                "format": "{asctime}{levelname}{name}{message}",
                "style": "{",
            },
        },
        "filters": {
            "no_addresses": {"()": "config.logs.NoAddresses"},
            "brief_refusals": {"()": "config.logs.BriefRefusals"},
        },
        "handlers": {
            "nowhere": {"class": "logging.NullHandler"},
            "console": {
                "class": "logging.StreamHandler",
                "filters": ["no_addresses", "brief_refusals"],
                "formatter": form,
            },
        },
        "root": {"handlers": ["console"], "level": "INFO"},
        # Django and uvicorn bring handlers of their own: one line per fact, in one format.
        "loggers": {
            **{name: {"handlers": [], "propagate": True} for name in ("django", "uvicorn", "uvicorn.error")},
            # Addresses hold the tokens of invitations.
            "uvicorn.access": {"handlers": ["nowhere"], "propagate": False},
        },
    }
