"""allauth's list of the sessions of each account, kept as far as anything can be written."""

from __future__ import annotations

from typing import Any

from allauth.usersessions.apps import UserSessionsConfig
from django.db.models.signals import pre_delete
from django.http import HttpRequest

from database.fullness import write_unless_full


class SessionsConfig(UserSessionsConfig):
    """allauth's app. Its own receivers let a sign-in fail where the session can't be listed."""

    def ready(self) -> None:
        from allauth.account.signals import password_changed, user_logged_in
        from django.contrib.sessions.models import Session

        user_logged_in.connect(note_session)
        password_changed.connect(note_session)
        pre_delete.connect(strike, sender=Session)


def note_session(request: HttpRequest, **_: Any) -> None:
    """List the session of a request, which a sign-in or another password has given a new key."""
    from allauth.usersessions.models import UserSession

    def note() -> None:
        UserSession.objects.purge_and_list(request.user)
        UserSession.objects.create_from_request(request)

    write_unless_full("where somebody is signed in", note)


def strike(instance: Any, **_: Any) -> None:
    """Take a session that ends off the list, with the address and the browser that it was from."""
    from allauth.usersessions.models import UserSession

    UserSession.objects.filter(session_key=instance.session_key).delete()
