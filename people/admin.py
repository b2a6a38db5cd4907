"""Django's admin for those who run the site: who has an account, and what there is, by names, counts and dates.

Nothing of a campaign can be changed here, as there is one path for that (campaigns/services); and nothing is shown that its GM
keeps from players, since who runs a site may play on it.
"""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import secure_admin_login
from allauth.account.forms import default_token_generator
from allauth.account.internal.flows.password_reset import request_password_reset
from allauth.account.models import EmailAddress
from allauth.account.views import logout
from django import forms
from django.contrib import admin, messages
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.models import Session
from django.core.checks import run_checks
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from people import adapter
from people.context import person_of
from people.models import User

# Accounts that a host switches off, and letters with a link to a new password that a host has sent.


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
    return str(adapter.NOT_SENT) if adapter.failed(request) else ""


class HostsSite(admin.AdminSite):
    """The hosts' site, with only what is registered by name; Django's own has whatever any installed app adds.

    Signing in, signing out and passwords are allauth's, with its limits, so that there is only one way in.
    """

    # What nothing here needs: of `view_on_site`, every id of every model can be asked.
    unused = {"autocomplete", "view_on_site", "password_change_done"}
    site_header = site_title = gettext_lazy("Afterburn: administration")
    index_title = gettext_lazy("This site")

    def get_urls(self) -> list[Any]:
        return [url for url in super().get_urls() if getattr(url, "name", None) not in self.unused]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """Show above all else the errors of packages that were left out (config/checks.py)."""
        for message in run_checks(tags=["rulesets"]):
            messages.warning(request, message.msg)
        return super().index(request, extra_context)

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        return secure_admin_login(lambda request: redirect("admin:index"))(request)

    def logout(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # type: ignore[override]
        return logout(request)

    def password_change(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:  # type: ignore[override]
        return redirect("account_change_password")


site = HostsSite()


class ToRead(admin.ModelAdmin):
    """Rows that staff may read and not change."""

    actions: Any = ()

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.admin_site.has_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.admin_site.has_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Allow only the filters beside the list. Django allows any field of the row, also hidden ones:
        `?token_hash__startswith=a` would reveal a hash letter by letter.
        """
        return lookup.split("__")[0] in self.list_filter


class AccountForm(forms.ModelForm):
    class Meta:
        labels = {"is_active": gettext_lazy("Can sign in"), "is_staff": gettext_lazy("Staff")}
        help_texts = {
            "is_active": gettext_lazy("When off, the account is signed out everywhere. What the person wrote stays."),
            "is_staff": gettext_lazy(
                "Can open these pages, see this site’s accounts, campaigns and invitations, and switch off accounts that "
                "aren’t staff."
            ),
        }


@admin.register(User, site=site)
class UserAdmin(ToRead):
    """Accounts. Staff may disable those who are not staff; superusers all but their own, and they choose who is staff.

    Nobody is deleted here: people leave their tables when they delete their own account.
    """

    form = AccountForm
    list_display = ("username", "display_name", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff")
    search_fields = ("username", "display_name", "emailaddress__email")
    ordering = ("username",)
    fields = (
        *("username", "display_name", "addresses", "date_joined", "last_login"),
        *("is_active", "is_staff", "is_superuser"),
    )
    actions = ("off", "on", "reset_password")

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return self.admin_site.has_permission(request) and (obj is None or _may_change(person_of(request), obj))

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        changeable = {"is_active", "is_staff"} if person_of(request).is_superuser else {"is_active"}
        return [name for name in self.fields if name not in changeable]

    @admin.display(description=gettext_lazy("Email addresses"))
    def addresses(self, user: User) -> str:
        addresses = EmailAddress.objects.filter(user=user).order_by("-primary", "pk")
        return (
            ", ".join(
                f"{address.email} ({_('confirmed') if address.verified else _('not confirmed')})"
                for address in addresses
            )
            or user.email
            or pgettext("email addresses", "none")
        )

    @transaction.atomic
    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        obj.save(update_fields=form.changed_data)
        if "is_active" in form.changed_data and not obj.is_active:
            end_sessions(obj)

    @admin.action(description=gettext_lazy("Switch off (signs out everywhere)"), permissions=["change"])
    def off(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        for user in self._changeable(request, chosen):
            switch_off(user)
            self.log_change(request, user, "Switched off.")
            messages.success(request, _("Switched off and signed out everywhere: {name}.").format(name=user.username))

    @admin.action(description=gettext_lazy("Switch on"), permissions=["change"])
    def on(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        for user in self._changeable(request, chosen):
            switch_on(user)
            self.log_change(request, user, "Switched on.")
            messages.success(request, _("Can sign in again: {name}.").format(name=user.username))

    @admin.action(description=gettext_lazy("Send a link for a new password"), permissions=["change"])
    def reset_password(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        for user in self._changeable(request, chosen):
            if trouble := send_reset_link(request, user):
                messages.error(request, _("Nothing was sent to {name}. {why}").format(name=user.username, why=trouble))
            else:
                self.log_change(request, user, "Sent a link to a new password.")
                messages.success(
                    request, _("A link for a new password is on its way to {name}.").format(name=user.username)
                )

    def _changeable(self, request: HttpRequest, chosen: QuerySet[User]) -> list[User]:
        me = person_of(request)
        for user in chosen:
            if not _may_change(me, user):
                if user == me:
                    words = _("{name} wasn’t changed: this is your own account.")
                else:
                    words = _("{name} wasn’t changed: only a superuser can change staff.")
                messages.error(request, words.format(name=user.username))
        return [user for user in chosen if _may_change(me, user)]


def _may_change(person: User, other: User) -> bool:
    """Return whether a person may change another account: nobody disables themselves, and staff do not change each other."""
    return person != other and (person.is_superuser or not (other.is_staff or other.is_superuser))
