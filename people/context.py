"""What the head of every page, and the sign-in page, show of people."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from people.access import person_of
from people.demo import PEOPLE


def account(request: HttpRequest) -> dict[str, Any]:
    """`account_nav`: [{"url", "words", "current"}] of somebody signed in; `demo_users`: demo.PEOPLE, on demo servers only."""
    signed_in = hasattr(request, "user") and request.user.is_authenticated
    staff = signed_in and person_of(request).is_staff
    pages = [
        ("Your campaigns", reverse("home")),
        ("Profile", reverse("profile")),
        *([("Administration", reverse("admin:index"))] if staff else []),
        ("Sign out", reverse("account_logout")),
    ]
    return {
        "account_nav": [
            {"url": url, "words": words, "current": url == request.path} for words, url in pages if signed_in
        ],
        "demo_users": PEOPLE if settings.DEMO else [],
    }
