"""The form by which a sheet comes in: a file, and whose it becomes."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID

from django import forms
from django.core.files.uploadedfile import UploadedFile

from campaigns.errors import Invalid
from campaigns.forms.play import MemberField
from campaigns.models import Membership
from characters.forms.cards import NOT_A_PLAYER, players
from characters.services import Card
from characters.services.exchange import may_bring
from characters.sheets.exchange import Brought, Faults, Head, read
from characters.sheets.fields import Visibility

LARGEST_FILE = 1_000_000  # bytes


class ImportForm(forms.Form):
    """A sheet's file. GMs say whose the character becomes; a player's is the player's. `key` is that of the operation."""

    file = forms.FileField(
        label="File",
        help_text="A sheet as it was exported here or elsewhere, at most 1 MB.",
        widget=forms.FileInput(attrs={"accept": "application/json,.json"}),
        error_messages={"required": "Choose a file first.", "empty": "This file is empty. Choose another one."},
    )
    owner = MemberField(
        label="Played by",
        queryset=Membership.objects.none(),
        required=False,
        empty_label="Nobody: an NPC",
        error_messages={"invalid_choice": NOT_A_PLAYER},
    )
    shown = forms.BooleanField(
        label="Players know of them",
        required=False,
        help_text="For an NPC. What somebody plays, all know of.",
    )
    field_order = ("file", "owner", "shown")

    def __init__(self, by: Membership, key: UUID | None = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by, self.key = by, key
        self._brought: Brought | None = None
        owner = self.fields["owner"]
        assert isinstance(owner, MemberField)  # noqa: S101  # for mypy
        owner.queryset = players(by)
        if not by.is_gm:
            del self.fields["owner"], self.fields["shown"]

    def clean(self) -> dict[str, Any]:
        upload = self.cleaned_data.get("file")
        if upload and "owner" not in self.errors and self.key:
            try:
                self._brought = read(parsed(upload), self._may(), self.key)
                self._check_head(self._brought.head)
            except Faults as error:
                self.add_error("file", [f"{path}: {message}" for path, message in error.faults])
            except Invalid as error:
                self.add_error("file", error.message)
        return self.cleaned_data

    @property
    def brought(self) -> Brought:
        """Of a valid form: the sheet."""
        assert self._brought  # noqa: S101  # or it is not valid
        return self._brought

    def card(self) -> Card:
        """Of a valid form: who it is."""
        head, owner = self.brought.head, self._owner()
        shown = owner is not None or head.is_crew or self.cleaned_data["shown"]
        return Card(head.name, head.concept, owner, shown)

    def _owner(self) -> Membership | None:
        return self.cleaned_data.get("owner") if self.by.is_gm else self.by

    def _may(self) -> frozenset[Visibility]:
        return may_bring(self.by.is_gm, for_oneself=self._owner() in (self.by, None))

    def _check_head(self, head: Head) -> None:
        if head.is_crew and not self.by.is_gm:
            raise Faults([("crew", "Only GMs make crews.")])
        if head.is_crew and self._owner():
            raise Faults([("crew", "A crew is everybody’s. Choose nobody to play it.")])
        if head.system not in self.by.campaign.systems:
            raise Faults([("system", "This campaign does not play that system.")])


def parsed(upload: UploadedFile) -> object:
    """Return what is in a file of JSON. Raises Invalid, which says where it stops being that."""
    if (upload.size or 0) > LARGEST_FILE:
        raise Invalid("This file is larger than 1 MB. A sheet is much smaller.")
    try:
        return json.loads(upload.read().decode("utf-8-sig"), parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise Invalid(f"This is not JSON: line {error.lineno}, column {error.colno}.") from None
    except RecursionError:
        raise Invalid("This is nested more deeply than any sheet.") from None
    except ValueError:
        raise Invalid("This is not a file of JSON in UTF-8.") from None


def _no_number(name: str) -> None:
    raise ValueError(name)
