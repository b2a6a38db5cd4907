"""Roles and invitations."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.forms.fields import LineField
from campaigns.forms.play import MemberField
from campaigns.models import Campaign, Membership, Role
from campaigns.services.members import MOST_USES

NO_ROLE = dict.fromkeys(["invalid_choice", "required"], gettext_lazy("Choose a role from the list."))
NO_NUMBER = format_lazy(gettext_lazy("Enter a number from 1 to {most}."), most=MOST_USES)
EXPIRES = [
    ("1", gettext_lazy("in a day")),
    ("7", gettext_lazy("in a week")),
    ("30", gettext_lazy("in a month")),
    ("0", gettext_lazy("when you revoke it")),
]


class RoleForm(forms.Form):
    """`seen` is the role that the page showed."""

    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role, error_messages=NO_ROLE)
    expected = forms.ChoiceField(choices=Role, widget=forms.HiddenInput)


class InvitationForm(forms.Form):
    """To an archive from elsewhere only spectators are invited, and people of a campaign that moved here to their `seat`."""

    seat = MemberField(
        label=gettext_lazy("For whom"),
        queryset=Membership.objects.none(),
        required=False,
        empty_label=gettext_lazy("anyone"),
        help_text=gettext_lazy(
            "The link to someone’s seat makes a person that member, who reads everything they could read. Send it to nobody else."
        ),
        error_messages={"invalid_choice": gettext_lazy("That seat isn’t free any more. Choose another.")},
    )

    role = forms.ChoiceField(label=gettext_lazy("Role"), choices=Role, initial=Role.PLAYER, error_messages=NO_ROLE)
    days = forms.TypedChoiceField(
        label=gettext_lazy("Expires"),
        choices=EXPIRES,
        initial="7",
        coerce=lambda days: int(days) or None,
        error_messages=dict.fromkeys(["required", "invalid_choice"], gettext_lazy("Choose when it expires.")),
    )
    uses = forms.IntegerField(
        label=gettext_lazy("Maximum uses"),
        min_value=1,
        max_value=MOST_USES,
        initial=5,
        required=False,
        help_text=gettext_lazy("Leave blank for unlimited."),
        error_messages=dict.fromkeys(["invalid", "min_value", "max_value"], NO_NUMBER),
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        seat = self.fields["seat"]
        assert isinstance(seat, MemberField)  # noqa: S101  # for mypy
        seat.queryset = Membership.objects.unclaimed().filter(campaign=campaign).order_by("pk")
        if not seat.queryset:
            del self.fields["seat"]
        if campaign.imported_at:
            field = self.fields["role"]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101  # for mypy
            field.choices = [(Role.SPECTATOR.value, Role.SPECTATOR.label)]
            field.initial = Role.SPECTATOR


class SeeAsForm(forms.Form):
    """The eyes to look through: "player", "spectator", or the id of a member who is no GM."""

    as_ = forms.ChoiceField(
        label=gettext_lazy("Preview as"),
        error_messages={
            "invalid_choice": gettext_lazy("You can’t preview this campaign that way. Choose from the list.")
        },
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Membership.objects.active().select_related("user").filter(campaign=campaign).exclude(role=Role.GM)
        field = self.fields["as_"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  # for mypy
        field.choices = [
            (Role.PLAYER.value, _("any player")),
            (Role.SPECTATOR.value, _("any spectator")),
            *((str(member.pk), f"{member.name} ({Role(member.role).label})") for member in others.order_by("pk")),
        ]

    def add_prefix(self, field_name: str) -> str:
        """Return the field's name without "_", which only avoids Python's keyword `as`."""
        return super().add_prefix(field_name.rstrip("_"))

    @property
    def chosen(self) -> str | int:
        """Return the choice of a valid form, as access.SEEING_AS keeps it."""
        value: str = self.cleaned_data["as_"]
        return int(value) if value.isdigit() else value


# The form that makes a token of the API.


SCOPES = [("read", gettext_lazy("Read")), ("write", gettext_lazy("Read and write"))]
TOKEN_EXPIRES = [
    ("7", gettext_lazy("in a week")),
    ("30", gettext_lazy("in a month")),
    ("365", gettext_lazy("in a year")),
    ("0", gettext_lazy("when you revoke it")),
]


class TokenForm(forms.Form):
    """A token's name, and what it may do."""

    name = LineField(
        label=gettext_lazy("Name"),
        max_length=80,
        help_text=gettext_lazy("What it’s for, such as “Discord bot”."),
        error_messages={"required": gettext_lazy("Give the token a name.")},
    )
    scope = forms.ChoiceField(
        label=gettext_lazy("Access"),
        choices=SCOPES,
        help_text=gettext_lazy("It never sees or does more than you."),
        error_messages=dict.fromkeys(["required", "invalid_choice"], gettext_lazy("Choose what it may do.")),
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Expires"),
        choices=TOKEN_EXPIRES,
        initial="30",
        coerce=lambda days: int(days) or None,
        empty_value=None,
        error_messages=dict.fromkeys(["required", "invalid_choice"], gettext_lazy("Choose when it expires.")),
    )
