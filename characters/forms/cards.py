"""Forms for a character's card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.db import models
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from campaigns import rulesets
from campaigns.forms.fields import LineField
from campaigns.forms.play import MemberField, MembersField
from campaigns.models import Membership, Role
from campaigns.pictures import PictureError, portrait
from characters.faces import ERAS, FACES, MOODS
from characters.models import Character
from characters.names import NAMES
from characters.services.cards import Card, card_of, card_version

LONGEST_NAME = Character.LONGEST_NAME
FACE = pgettext_lazy("of a character", "Face")
NOT_A_PLAYER = gettext_lazy("That person doesn’t play here. Choose again.")


class Known(models.TextChoices):
    """What people who do not play a character know of it."""

    HIDDEN = "hidden", gettext_lazy("Nothing: only GMs see them")
    CARD = "card", gettext_lazy("The card: portrait, name, concept and the public part of the sheet")
    SHEET = "sheet", gettext_lazy("The whole sheet, without private notes")
    FREE = "free", gettext_lazy("The whole sheet, and a player can take the character")


def known_of(card: Card) -> Known:
    if card.owner is None and not card.shown:
        return Known.HIDDEN
    if card.free:
        return Known.FREE
    return Known.SHEET if card.opened else Known.CARD


class OneOfSeveral(forms.Form):
    """A form that shares its page with others: `ids` keeps the ids of its fields apart from theirs."""

    ids = ""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"auto_id": f"{self.ids}-%s", **kwargs})


class UploadOrChoice(forms.FileInput):
    """An upload, or else what was chosen beside it."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        return files.get("picture", data.get(name))


class PortraitField(forms.FileField):
    """What a character looks like, as `set_portrait` takes it; if nothing was chosen, `initial`, where that may be.

    It is drawn with its `tile`: the portrait that there is, as `Character.portrait` has it, with "name" and "concept".
    """

    template = "characters/_drawer.html"
    widget = UploadOrChoice
    default_error_messages = {
        "required": gettext_lazy("Choose a picture first."),
        "empty": gettext_lazy("This file is empty. Choose another one."),
    }
    tile: Mapping[str, Any] = {"colour": "sand"}
    eras, moods, faces = ERAS, MOODS, FACES.values()

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(label=FACE, **kwargs)

    @classmethod
    def of(cls, form: forms.Form) -> PortraitField:
        """Return the field of a form."""
        field = form.fields["portrait"]
        assert isinstance(field, cls)  # noqa: S101  # for mypy
        return field

    def clean(self, data: Any, initial: Any = None) -> Any:
        if isinstance(data, UploadedFile):
            try:
                return portrait(super().clean(data), data.size or 0)
            except PictureError as error:
                raise forms.ValidationError(error.message) from None
        if data is None and not self.required:
            return initial
        if data not in ("", initial, *FACES):
            raise forms.ValidationError(self.error_messages["required"])
        return data


class PlayersForm(OneOfSeveral):
    """The players of a character: `owner`, and `also` the others. For GMs."""

    owner = MemberField(
        label=gettext_lazy("Played by"),
        queryset=Membership.objects.none(),
        required=False,
        empty_label=gettext_lazy("No one: an NPC"),
        error_messages={"invalid_choice": NOT_A_PLAYER},
    )
    also = MembersField(
        label=gettext_lazy("Also played by"),
        queryset=Membership.objects.none(),
        required=False,
        help_text=gettext_lazy("They can read and edit the sheet, too."),
        error_messages={"invalid_choice": NOT_A_PLAYER},
    )

    def __init__(self, by: Membership, *args: Any, character: Character | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.by = by
        here = players(by, character)
        for name in ("owner", "also"):
            field = self.fields[name]
            assert isinstance(field, MemberField | MembersField)  # noqa: S101  # for mypy
            field.queryset = here

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        if given.get("also") and not given.get("owner"):
            self.add_error("also", _("Choose the main player first, then the others."))
        return given

    @property
    def players(self) -> tuple[Membership | None, tuple[Membership, ...]]:
        """Return the owner and the other players from a valid form."""
        owner = self.cleaned_data["owner"]
        return owner, tuple(player for player in self.cleaned_data["also"] if player != owner)


class CardForm(PlayersForm):
    """A character's card. GMs choose the players of a new character; later it is handed over (HandOverForm).

    Players' characters are their own, so their form has no `owner` and `also`, and a played character cannot be hidden.
    `system` is a field of a new character in a campaign with several. `expected` is the version of the card it was
    filled with, if any.
    """

    ids = "card"

    name = LineField(label=gettext_lazy("Name"), max_length=LONGEST_NAME)
    name.explained = [(name, "") for name in NAMES]
    system = forms.ChoiceField(
        label=gettext_lazy("System"), required=False, help_text=gettext_lazy("This can’t be changed later.")
    )
    concept = LineField(
        label=gettext_lazy("Concept"),
        required=False,
        help_text=gettext_lazy("A few words, such as: Archivist with debts."),
    )
    known = forms.ChoiceField(
        label=gettext_lazy("Visible to the others"), choices=Known.choices, initial=Known.CARD, widget=forms.RadioSelect
    )
    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)
    portrait = PortraitField(required=False, initial="")

    field_order = ("name", "system", "concept", "known", "owner", "also", "expected", "portrait")

    def __init__(self, by: Membership, *args: Any, character: Character | None = None, **kwargs: Any) -> None:
        self.kept = card_of(character) if character else Card("", owner=by)
        if character:
            now = {"name": character.name, "concept": character.concept, "known": known_of(self.kept)}
            kwargs["initial"] = now | {"expected": card_version(character)}
        super().__init__(by, *args, character=character, **kwargs)
        self.is_crew = bool(character and character.is_crew)
        self._offer_systems(by, new=character is None)
        PortraitField.of(self).tile = {"colour": by.colour}
        if character:
            # It has a page of its own.
            del self.fields["portrait"]
        if character or not by.is_gm:
            del self.fields["owner"], self.fields["also"]
        can_hide = by.is_gm and (character is None or character.owner is None)
        known = self.fields["known"]
        assert isinstance(known, forms.ChoiceField)  # noqa: S101  # for mypy
        known.choices = [choice for choice in Known.choices if can_hide or choice[0] not in (Known.HIDDEN, Known.FREE)]
        if self.is_crew:
            # Shared by everyone, so that its sheet is open to all who know of it.
            known.choices = [(Known.HIDDEN, Known.HIDDEN.label), (Known.CARD, _("The whole sheet, as for every crew"))]
            if not by.is_gm:
                del self.fields["known"]

    def clean(self) -> dict[str, Any]:
        given = super().clean()
        if given.get("owner") and given.get("known") == Known.HIDDEN:
            self.add_error("known", _("Only NPCs can be hidden. Everyone sees player characters."))
        if given.get("owner") and given.get("known") == Known.FREE:
            self.add_error("known", _("Only NPCs can be taken. Choose “No one: an NPC” as the player."))
        return given

    @property
    def controlled_by(self) -> str:
        """Return the system of a new character from a valid form; "" if there is no choice."""
        return str(self.cleaned_data.get("system", ""))

    def card(self) -> Card:
        """Return the card from a valid form."""
        given = self.cleaned_data
        card = replace(self.kept, name=given["name"], concept=given["concept"], portrait=given.get("portrait", ""))
        if "known" in self.fields:
            known = given["known"]
            opened = known in (Known.SHEET, Known.FREE)
            card = replace(card, shown=known != Known.HIDDEN, opened=opened, free=known == Known.FREE)
        if "owner" in self.fields:
            owner, also = self.players
            card = replace(card, owner=owner, also=also)
        return card

    def _offer_systems(self, by: Membership, *, new: bool) -> None:
        played = by.campaign.systems
        if not new or len(played) < 2:
            del self.fields["system"]
            return
        system = self.fields["system"]
        assert isinstance(system, forms.ChoiceField)  # noqa: S101  # for mypy
        system.choices = rulesets.choices(played)


class HandOverForm(PlayersForm):
    """A character's new players. `expected` is the version of the card it was filled with."""

    ids = "hand-over"

    expected = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, by: Membership, character: Character, *args: Any, **kwargs: Any) -> None:
        now = {"owner": character.owner, "also": character.players[1:], "expected": card_version(character)}
        super().__init__(by, *args, character=character, initial=now, **kwargs)


class CopyForm(OneOfSeveral):
    """The name of a copy."""

    ids = "copy"

    name = LineField(label=gettext_lazy("Name of the copy"), max_length=LONGEST_NAME)


class DeleteForm(OneOfSeveral):
    """The name of the character to delete, typed to confirm."""

    ids = "delete"

    name = LineField(label=gettext_lazy("Type the name to confirm"), max_length=LONGEST_NAME)


class PortraitForm(OneOfSeveral):
    """What a character looks like."""

    ids = "portrait"

    portrait = PortraitField()

    def __init__(self, character: Character, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, initial={"portrait": character.picture}, **kwargs)
        tile = character.portrait() | {"name": character.name, "concept": character.concept}
        PortraitField.of(self).tile = tile


def players(by: Membership, character: Character | None = None) -> QuerySet[Membership]:
    """Return those who may play a character; its players may stay so after leaving."""
    here = Q(campaign=by.campaign, left_at=None, role__in=[Role.PLAYER, Role.GM])
    keep = [player.pk for player in character.players] if character else []
    return Membership.objects.filter(here | Q(pk__in=keep)).select_related("user").order_by("pk")
