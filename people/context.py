"""Say who is asking, and what the head of every page and the sign-in page show of people."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from people.models import User

PEOPLE = [
    ("gm", "Ro", gettext_lazy("GM")),
    ("mo", "Mo", gettext_lazy("player")),
    ("iva", "Iva", gettext_lazy("player")),
    ("tess", "Tess", gettext_lazy("player")),
    ("watcher", "Wim", gettext_lazy("spectator")),
]
"""The people of the demo: user name, display name, and role on the sign-in page."""
USERNAMES = {username for username, _name, _role in PEOPLE}


def person_of(request: HttpRequest) -> User:
    """Return the account of a signed-in request; views ask behind `login_required`."""
    assert isinstance(request.user, User)  # noqa: S101  # for mypy: login_required has seen to it
    return request.user


def account(request: HttpRequest) -> dict[str, Any]:
    """Return `account_nav`: [{"url", "words", "current"}] for signed-in people; `demo_users`: PEOPLE, on demo servers only."""
    signed_in = hasattr(request, "user") and request.user.is_authenticated
    staff = signed_in and person_of(request).is_staff
    pages = [
        (_("Your campaigns"), reverse("home")),
        (_("Profile"), reverse("profile")),
        (_("Notices"), reverse("notices")),
        *([(_("Administration"), reverse("admin:index"))] if staff else []),
        (_("Sign out"), reverse("account_logout")),
    ]
    return {
        "account_nav": [
            {"url": url, "words": words, "current": url == request.path} for words, url in pages if signed_in
        ],
        "demo_users": PEOPLE if settings.DEMO else [],
    }
