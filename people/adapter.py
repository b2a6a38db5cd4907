"""What is ours in allauth: who may make an account, by the SIGNUP setting, and its defaults; its mail; second factors; accounts
elsewhere.
"""

from __future__ import annotations

import logging
import smtplib
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.conf import settings
from django.contrib import messages
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from people import devices
from people.middleware import language_for
from people.models import Hue, User, zone_of

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
NEW_DEVICE = "new_device"
TOLD = {
    NEW_DEVICE: _("New sign-in"),
    "account/email/password_changed": _("Your password was changed"),
    "account/email/password_reset": _("Your password was changed"),
    "account/email/password_set": _("A password was set"),
    "account/email/email_changed": _("Your email address was changed"),
    "account/email/email_deleted": _("An email address was removed"),
    "mfa/email/totp_activated": _("Two-factor sign-in was turned on"),
    "mfa/email/totp_deactivated": _("Two-factor sign-in was turned off"),
    "mfa/email/recovery_codes_generated": _("New recovery codes were made"),
    "mfa/email/webauthn_added": _("A passkey was added"),
    "mfa/email/webauthn_removed": _("A passkey was removed"),
    "socialaccount/email/account_connected": _("Another way to sign in was connected"),
    "socialaccount/email/account_disconnected": _("A way to sign in was disconnected"),
}
"""What people are told by mail of their account: the subject, by allauth's name for the letter."""


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

    def post_login(self, request: HttpRequest, user: User, *, signup: bool, **more: Any) -> HttpResponse:
        """Tell a person who has signed in on a device for the first time."""
        answer: HttpResponse = super().post_login(request, user, signup=signup, **more)
        if not devices.remember(request, answer, user) and not signup:
            self.send_notification_mail(NEW_DEVICE, user)
        return answer

    def send_notification_mail(
        self, template_prefix: str, user: User, context: dict[str, Any] | None = None, email: str | None = None
    ) -> None:
        """Tell a person of a change to their account: at the address that was theirs until then, if that changed, else at a
        confirmed one, as another may be somebody else's.
        """
        known = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
        former = {"deleted_email", "from_email"} & (context or {}).keys()
        to = context[former.pop()] if context and former else known.values_list("email", flat=True).first()
        if not to:
            return
        with timezone.override(zone_of(user.time_zone)):
            told = {
                "user": user,
                "what": TOLD[template_prefix],
                "browser": devices.name_of(self.request.headers.get("User-Agent", "")),
                "address": self.get_client_ip(self.request),
                "at": timezone.now(),
                "sessions": f"{settings.SITE_URL}{reverse('usersessions_list')}",
                "password": f"{settings.SITE_URL}{reverse('account_reset_password')}",
            }
            self.send_mail("account/email/told", to, told)

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send all mail of the site, in the language of its reader. A failure is logged and noted, and stops
        further mail in this request: a silent server is waited for once, however many accounts have the address.
        """
        request = self.request
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


class SecondFactorAdapter(DefaultMFAAdapter):
    def get_totp_label(self, user: User) -> str:
        """Return what an authenticator app calls the account: the name that its person signs in with."""
        return user.username

    def build_totp_svg(self, url: str) -> SafeString:
        """Return the QR code of the secret, for the page itself: our Content Security Policy shows no pictures in addresses."""
        return devices.qr_code(url)

    def generate_authenticator_name(self, user: User, type: Authenticator.Type) -> str:
        """Return a name for a new passkey: that of the browser it is made in."""
        return devices.name_of(self.request.headers.get("User-Agent", ""))


class ElsewhereAdapter(DefaultSocialAccountAdapter):
    def populate_user(self, request: HttpRequest, sociallogin: SocialLogin, data: dict[str, Any]) -> User:
        """Take the user name and the address that a provider tells, and no real name."""
        told = {name: data[name] for name in ("username", "email") if data.get(name)}
        return super().populate_user(request, sociallogin, told)
