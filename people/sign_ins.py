"""Failed sign-ins, for the person who runs the site (and for programs that lock out addresses by the log)."""

from __future__ import annotations

import logging
from typing import Any

from django.contrib.auth.models import update_last_login
from django.contrib.auth.signals import user_logged_in, user_login_failed
from django.db.models import Q
from django.dispatch import receiver
from django.http import HttpRequest

from database.fullness import write_unless_full
from people.models import User

log = logging.getLogger(__name__)


# Django's own receiver lets a sign-in fail where its moment cannot be written. Ours has its place, whichever comes first.
DJANGOS = "update_last_login"
user_logged_in.disconnect(dispatch_uid=DJANGOS)


@receiver(user_logged_in, dispatch_uid=DJANGOS)
def note_sign_in(user: User, **_: object) -> None:
    """Store when the user last signed in, if anything can be written."""
    write_unless_full("when somebody signed in last", lambda: update_last_login(type(user), user))


@receiver(user_login_failed)
def log_failure(credentials: dict[str, Any], request: HttpRequest | None = None, **_: object) -> None:
    """Log where a failed sign-in came from, and for which account; not what was typed, as passwords get into the wrong field."""
    place = request.META.get("REMOTE_ADDR") or "an unknown address" if request else "no request"
    log.warning("Sign-in failed from %s: %s", place, _meant(credentials))


def _meant(credentials: dict[str, Any]) -> str:
    # allauth looks for both by the content of one field.
    name = Q(username__iexact=credentials.get("username") or "")
    address = Q(emailaddress__email__iexact=credentials.get("email") or "")
    users = User.objects.filter(name | address).order_by("pk").distinct()
    accounts = [f"{user.username}{'' if user.is_active else ', which is switched off'}" for user in users]
    return f"account {'; '.join(accounts)}" if accounts else "no such account"
