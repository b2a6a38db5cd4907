"""Mail that cannot be sent: people are told, and nothing else fails with it."""

from __future__ import annotations

import logging
import smtplib

from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

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
