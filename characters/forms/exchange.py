"""The forms by which a sheet comes in: a file, and whose it becomes."""

from __future__ import annotations

import json
import re
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.errors import Invalid
from campaigns.forms.play import MemberField
from campaigns.models import Membership
from characters.forms.cards import NOT_A_PLAYER, players
from characters.rulesets import converted
from characters.services.cards import Card
from characters.services.creation import may_bring
from characters.sheets.conversion import Conversion, actor_in
from characters.sheets.exchange import LONGEST_FAULT, Brought, Faults, Head, read, shown, written
from characters.sheets.fields import Visibility

LARGEST_FILE = 1_000_000  # bytes, without pictures
PICTURE = re.compile(rb"data:image/[\w.+-]+[;,][^\"\\\s<>]*")


class BringForm(forms.Form):
    """A sheet to import, and its owner. GMs choose the owner; a player's import is their own.

    `key` is that of the operation. Subclasses have the field `content`, and `given` returns the sheet in it.
    """

    content: ClassVar[str]
    owner = MemberField(
        label=gettext_lazy("Played by"),
        queryset=Membership.objects.none(),
        required=False,
        empty_label=gettext_lazy("No one: an NPC"),
        error_messages={"invalid_choice": NOT_A_PLAYER},
    )
    shown = forms.BooleanField(
        label=gettext_lazy("Players know about them"),
        required=False,
        help_text=gettext_lazy("For NPCs. Everyone sees player characters."),
    )

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
        if self.content in self.cleaned_data and "owner" not in self.errors and self.key:
            # Faults of a hidden field are shown above the form.
            wrong = None if self[self.content].is_hidden else self.content
            try:
                self._brought = read(self.given(self.cleaned_data[self.content]), self.may(), self.key)
                self._check_head(self._brought.head)
            except Faults as error:
                self.add_error(wrong, [f"{path}: {message}" for path, message in error.faults])
            except Invalid as error:
                self.add_error(wrong, error.message)
        return self.cleaned_data

    def given(self, content: Any) -> object:
        """Return the content as a file of our format. Raises Invalid, Faults."""
        raise NotImplementedError

    @property
    def brought(self) -> Brought:
        """Return the sheet from a valid form."""
        assert self._brought  # noqa: S101  # or it is not valid
        return self._brought

    def card(self) -> Card:
        """Return the card from a valid form."""
        head, owner = self.brought.head, self._owner()
        shown = owner is not None or head.is_crew or self.cleaned_data["shown"]
        return Card(head.name, head.concept, owner, shown)

    def _owner(self) -> Membership | None:
        return self.cleaned_data.get("owner") if self.by.is_gm else self.by

    def may(self) -> frozenset[Visibility]:
        return may_bring(self.by.is_gm, for_oneself=self._owner() in (self.by, None))

    def _check_head(self, head: Head) -> None:
        if head.is_crew and not self.by.is_gm:
            raise Faults([("crew", _("Only GMs can make crews."))])
        if head.is_crew and self._owner():
            raise Faults([("crew", _("A crew belongs to everyone. Choose “No one” under “Played by”."))])
        if head.system not in self.by.campaign.systems:
            raise Faults([("system", _("This campaign doesn’t use that system."))])


class ImportForm(BringForm):
    """An uploaded file: a sheet of ours, or another program's, which becomes a `conversion` first."""

    file = forms.FileField(
        label=gettext_lazy("File"),
        help_text=gettext_lazy("An exported sheet, or an actor from Foundry, of up to 1 MB without its pictures."),
        widget=forms.FileInput(attrs={"accept": "application/json,.json"}),
        error_messages={
            "required": gettext_lazy("Choose a file first."),
            "empty": gettext_lazy("This file is empty. Choose another one."),
        },
    )
    field_order = ("file", "owner", "shown")
    content = "file"
    conversion: Conversion | None = None

    def given(self, content: UploadedFile) -> object:
        file = parsed(content)
        self.conversion = converted(file)
        if self.conversion:
            self._ours = self._as_ours(self.conversion)
            return self._ours
        if actor := actor_in(file):
            message = _("“{name}” can’t be imported. It is of the type “{type}” in the Foundry system “{system}”.")
            message = message.format(name=actor.name, type=actor.type, system=actor.system or "?")
            raise Faults([("type", shown(message, LONGEST_FAULT))])
        return file

    def _as_ours(self, conversion: Conversion) -> dict[str, Any]:
        """Return our file with what this person may import; the rest is left out."""
        sheet, may = conversion.head.sheet, self.may()
        for name in conversion.values:
            if sheet.visibility_of(name) not in may:
                label = (sheet.lists.get(name) or sheet.fields[name]).label
                conversion.leave(label, _("You can’t import private notes for someone else."))
        return written(conversion.head, conversion.values, {}, may)

    def confirming(self) -> ConfirmForm:
        """Return the form that makes the character, from a valid form with a conversion."""
        chosen = {name: self.data[name] for name in ("owner", "shown") if name in self.data}
        return ConfirmForm(self.by, initial=chosen | {"sheet": json.dumps(self._ours)})


class ConfirmForm(BringForm):
    """Another program's sheet converted to our format, to be confirmed once the user has seen what was left out."""

    content = "sheet"
    sheet = forms.CharField(widget=forms.HiddenInput, max_length=LARGEST_FILE, strip=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget = field.hidden_widget()

    def clean(self) -> dict[str, Any]:
        # Errors of hidden fields would not be seen.
        for messages in list(self.errors.values()):
            self.add_error(None, list(messages))
        return super().clean()

    def given(self, content: str) -> object:
        return parsed_text(content)


def parsed(upload: UploadedFile) -> object:
    """Return the value in a JSON file. Raises Invalid, with the place of the error."""
    content = PICTURE.sub(b"", upload.read())
    if len(content) > LARGEST_FILE:
        raise Invalid(_("This file is larger than 1 MB, even without pictures. Sheets are much smaller."))
    try:
        text = content.decode("utf-8-sig")
    except ValueError:
        raise Invalid(_("This is not a JSON file in UTF-8.")) from None
    return parsed_text(text)


def parsed_text(text: str) -> object:
    """Return the value in a JSON text. Raises Invalid."""
    try:
        return json.loads(text, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        message = _("This is not JSON: see line {line}, column {column}.")
        raise Invalid(message.format(line=error.lineno, column=error.colno)) from None
    except RecursionError:
        raise Invalid(_("This file is nested too deeply to be a sheet.")) from None
    except ValueError:
        raise Invalid(_("This is not a JSON file in UTF-8.")) from None


def _no_number(name: str) -> None:
    raise ValueError(name)
