"""Accounts that a host switches off, and letters with a link to a new password that a host has sent."""

from __future__ import annotations

from allauth.account.forms import default_token_generator
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.models import EmailAddress
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from people import mail
from people.models import User


@transaction.atomic
def switch_off(user: User) -> None:
    """Disable the account and end its sessions. Open sockets are cut at the next poll (campaigns/live/connections.py)."""
    user.is_active = False
    user.save(update_fields=["is_active"])
    end_sessions(user)


def switch_on(user: User) -> None:
    """Let its person sign in again."""
    user.is_active = True
    user.save(update_fields=["is_active"])


def end_sessions(user: User) -> None:
    """Sign a user out everywhere. Django would refuse their sessions while the account is off, and accept them once it
    is on again, also those of a thief.

    Sessions have no column for their user, so all that have not expired are read.
    """
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()


def send_reset_link(request: HttpRequest, user: User) -> str:
    """Send the mail that they would get by asking for a new password. Return why it cannot be sent, or ""."""
    if not user.is_active:
        return _("The account is switched off.")
    known = EmailAddress.objects.filter(user=user).order_by("-primary", "-verified", "pk").first()
    # createsuperuser knows nothing of allauth's addresses.
    address = known.email if known else user.email
    if not address:
        return _("The account has no email address. Set a new password with manage.py changepassword.")
    request_password_reset(request, address, [user], default_token_generator)
    return str(mail.NOT_SENT) if mail.failed(request) else ""
