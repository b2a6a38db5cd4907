"""Who is asking."""

from __future__ import annotations

from django.http import HttpRequest

from people.models import User


def person_of(request: HttpRequest) -> User:
    """The account behind a request of somebody who is signed in; views ask behind `login_required`."""
    assert isinstance(request.user, User)  # noqa: S101  # for mypy: login_required has seen to it
    return request.user
