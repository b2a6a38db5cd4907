"""Times as they are where each person is, and nothing left behind where somebody has been."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable
from datetime import tzinfo

from django.conf import settings
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class KeptPagesMiddleware:
    """Where a session ends, lets the browser go of the pages it keeps: its back button would show them to the next person there.

    No more of them than that is forbidden to be kept, since going back is also how people find what they were typing.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        answer = self.get_response(request)
        # This is when Django takes the session's cookie back.
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.session.is_empty():
            answer["Clear-Site-Data"] = '"cache"'
        return answer


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
    except (InterfaceError, OperationalError):
        # Said on the way in (campaigns.middleware), so that nobody waits for the database a second time.
        request.database_is_away = True  # type: ignore[attr-defined]
        return zoneinfo.ZoneInfo("UTC")
