"""Roles and invitations."""

from __future__ import annotations

from typing import Any

from django import forms

from campaigns.models import Campaign, Membership, Role
from campaigns.services.invitations import MOST_USES

NO_ROLE = {"invalid_choice": "Choose a role from the list.", "required": "Choose a role from the list."}


class RoleForm(forms.Form):
    """`seen` is the role that the page showed."""

    role = forms.ChoiceField(label="Role", choices=Role, error_messages=NO_ROLE)
    expected = forms.ChoiceField(choices=Role, widget=forms.HiddenInput)


class InvitationForm(forms.Form):
    """To an archive from elsewhere only spectators are invited."""

    role = forms.ChoiceField(label="Role", choices=Role, initial=Role.PLAYER, error_messages=NO_ROLE)
    days = forms.TypedChoiceField(
        label="Expires",
        choices=[("1", "in a day"), ("7", "in a week"), ("30", "in a month"), ("0", "when you revoke it")],
        initial="7",
        coerce=lambda days: int(days) or None,
        error_messages=dict.fromkeys(["required", "invalid_choice"], "Choose when it expires."),
    )
    uses = forms.IntegerField(
        label="Maximum uses",
        min_value=1,
        max_value=MOST_USES,
        initial=5,
        required=False,
        help_text="Leave blank for unlimited.",
        error_messages={
            "invalid": f"Write a number from 1 to {MOST_USES}.",
            "min_value": f"Write a number from 1 to {MOST_USES}.",
            "max_value": f"Write a number from 1 to {MOST_USES}.",
        },
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if campaign.imported_at:
            field = self.fields["role"]
            assert isinstance(field, forms.ChoiceField)  # noqa: S101  # for mypy
            field.choices = [(Role.SPECTATOR.value, Role.SPECTATOR.label)]
            field.initial = Role.SPECTATOR


class SeeAsForm(forms.Form):
    """The eyes to look through: "player", "spectator", or the id of a member who is no GM."""

    as_ = forms.ChoiceField(
        label="See this campaign as",
        error_messages={"invalid_choice": "This campaign cannot be seen like that. Choose from the list."},
    )

    def __init__(self, campaign: Campaign, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Membership.objects.active().select_related("user").filter(campaign=campaign).exclude(role=Role.GM)
        field = self.fields["as_"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  # for mypy
        field.choices = [
            (Role.PLAYER.value, "any player"),
            (Role.SPECTATOR.value, "any spectator"),
            *(
                (str(member.pk), f"{member.name}, {Role(member.role).label.lower()}")
                for member in others.order_by("pk")
            ),
        ]

    def add_prefix(self, field_name: str) -> str:
        """`as` is a word of Python."""
        return super().add_prefix(field_name.rstrip("_"))

    @property
    def chosen(self) -> str | int:
        """Return what was chosen in a valid form, as access.SEEING_AS keeps it."""
        value: str = self.cleaned_data["as_"]
        return int(value) if value.isdigit() else value
