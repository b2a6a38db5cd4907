"""Decide who may make an account, by the SIGNUP setting, and its defaults; send mail to it."""

from __future__ import annotations

import logging
import smtplib
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import context as current
from django.conf import settings
from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from people.middleware import language_for
from people.models import Hue, User

# Mail that cannot be sent: people are told, and nothing else fails with it.


log = logging.getLogger(__name__)

# What a mail server that is away, silent or unwilling raises (SMTPException is an OSError), and smtplib for a password that it
# cannot encode. Faults in our own templates are none of these.
TROUBLE = (OSError, UnicodeError)

NOT_SENT = _("The email couldn’t be sent. Try again in a few minutes, or tell whoever runs this site.")
NOT_SENT_AT_SIGN_UP = _(
    "Your account is ready, but the email to confirm your address couldn’t be sent. Resend it later from your profile, under "
    "Email address."
)


def failed(request: HttpRequest) -> bool:
    """Return whether mail failed during this request."""
    return getattr(request, "mail_failed", False)


def note_failure(request: HttpRequest, error: Exception) -> None:
    """Log why mail failed, and note it for the answer to this request."""
    request.mail_failed = True  # type: ignore[attr-defined]
    log.error("Mail could not be sent: %s", _why(error))


def _why(error: Exception) -> str:
    """Return the kind of error and the server's answer without the recipients, whom servers name."""
    kind = type(error).__name__
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return f"{kind} {sorted(code for code, _ in error.recipients.values())}"
    return f"{kind} {error}"


# The key under which a join page notes in the session that its visitor holds a valid invitation.
INVITED = "invited"
CONFIRMATION_SENT = "account/messages/email_confirmation_sent.txt"


class AccountAdapter(DefaultAccountAdapter):
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether the visitor may sign up: open: everyone; invite: visitors from a campaign's join page; closed:
        nobody.
        """
        if settings.SIGNUP == "invite":
            return bool(request.session.get(INVITED))
        return settings.SIGNUP == "open"

    def new_user(self, request: HttpRequest) -> User:
        """Create a user with the next colour of the palette, so that those who sign up together differ before they choose."""
        hues = Hue.values
        return User(colour=hues[User.objects.count() % len(hues)])

    def save_user(self, request: HttpRequest, user: User, form: Form, commit: bool = True) -> User:
        """Save a user with the time zone and the language of the browser that they sign up with."""
        user.time_zone = form.cleaned_data["time_zone"]
        user.language = get_language() or ""
        return super().save_user(request, user, form, commit)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send all mail of the site, in the language of its reader. A failure is logged and noted, and stops
        further mail in this request: a silent server is waited for once, however many accounts have the address.
        """
        request = current.request
        if failed(request):
            return
        try:
            with translation.override(language_for(context.get("user"), request)):
                super().send_mail(template_prefix, email, context)
        except TROUBLE as error:
            note_failure(request, error)

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> None:
        """Add allauth's message, except that mail was sent which was not."""
        if message_template == CONFIRMATION_SENT and failed(request):
            at_sign_up = bool(message_context and message_context.get("signup"))
            messages.error(request, NOT_SENT_AT_SIGN_UP if at_sign_up else NOT_SENT)
        else:
            super().add_message(request, level, message_template, message_context, *args, **kwargs)
