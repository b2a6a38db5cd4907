"""Times as they are where each person is."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from datetime import tzinfo

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class TimeZoneMiddleware:
    """Draws each page in its reader's time zone, and in UTC for those who are not signed in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(_zone(request)):
            return self.get_response(request)


def _zone(request: HttpRequest) -> tzinfo:
    try:
        user = request.user
        return zoneinfo.ZoneInfo(user.time_zone) if user.is_authenticated else zoneinfo.ZoneInfo("UTC")
    # A zone that the list of this machine does not have.
    except (KeyError, ValueError):
        return zoneinfo.ZoneInfo("UTC")
    # The view will meet the same, and there it becomes an answer.
    except (InterfaceError, OperationalError):
        return zoneinfo.ZoneInfo("UTC")
