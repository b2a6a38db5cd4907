"""What the head of every page, and the sign-in page, show of people."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse

from people.demo import PEOPLE


def account(request: HttpRequest) -> dict[str, Any]:
    """`account_nav`: [{"url", "words", "current"}] of somebody signed in; `demo_users`: demo.PEOPLE, on demo servers only."""
    pages = [
        ("Your campaigns", reverse("home")),
        ("Profile", reverse("profile")),
        ("Sign out", reverse("account_logout")),
    ]
    signed_in = hasattr(request, "user") and request.user.is_authenticated
    return {
        "account_nav": [
            {"url": url, "words": words, "current": url == request.path} for words, url in pages if signed_in
        ],
        "demo_users": PEOPLE if settings.DEMO else [],
    }
