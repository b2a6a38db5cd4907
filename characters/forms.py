"""What is typed about a character."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.db.models import Q

from campaigns.forms import LineField
from campaigns.forms.play import MemberField
from campaigns.models import Membership, Role
from campaigns.models.members import System
from characters.models import Character
from characters.services import Card, card_of, card_version

LONGEST_NAME = 80


class CardForm(forms.Form):
    """Who a character is. `by` a player it has no `owner` and no `shown`: their characters are theirs, for all to see.

    `system` is asked for when a new one is made in a campaign that plays several.
    `seen` is the version of the card it was filled with, when there was one before.
    """

    name = LineField(label="Name", max_length=LONGEST_NAME)
    system = forms.ChoiceField(label="System", required=False, help_text="By which rules they play. It stays.")
    concept = LineField(label="Concept", required=False, help_text="A few words, such as: Archivist with debts.")
    owner = MemberField(
        label="Played by",
        queryset=Membership.objects.none(),
        required=False,
        empty_label="Nobody: an NPC",
        error_messages={"invalid_choice": "That person does not play here. Choose again."},
    )
    shown = forms.BooleanField(
        label="Players know of them",
        required=False,
        initial=True,
        help_text="An NPC that players do not know of is nowhere on their pages. What one player plays, all know of.",
    )
    seen = forms.CharField(required=False, max_length=16, widget=forms.HiddenInput)

    def __init__(self, by: Membership, *args: Any, character: Character | None = None, **kwargs: Any) -> None:
        if character:
            now = {"name": character.name, "concept": character.concept, "owner": character.owner}
            kwargs["initial"] = now | {"shown": character.shown, "seen": card_version(character)}
        super().__init__(*args, **kwargs)
        self.by = by
        self.kept = card_of(character) if character else Card("", owner=by)
        owner = self.fields["owner"]
        assert isinstance(owner, MemberField)  # noqa: S101  # for mypy
        owner.queryset = players(by, character)
        self._offer_systems(by, new=character is None)
        if not by.is_gm:
            del self.fields["owner"], self.fields["shown"]

    @property
    def played_by(self) -> str:
        """The system of a valid form for a new character; "" where there is nothing to choose."""
        return str(self.cleaned_data.get("system", ""))

    def card(self) -> Card:
        """Of a valid form."""
        given = self.cleaned_data
        named = replace(self.kept, name=given["name"], concept=given["concept"])
        if not self.by.is_gm:
            return named
        owner = given["owner"]
        also = tuple(member for member in named.also if owner and member != owner)
        return replace(named, owner=owner, shown=given["shown"] or owner is not None, also=also)

    def _offer_systems(self, by: Membership, *, new: bool) -> None:
        played = by.campaign.systems
        if not new or len(played) < 2:
            del self.fields["system"]
            return
        system = self.fields["system"]
        assert isinstance(system, forms.ChoiceField)  # noqa: S101  # for mypy
        system.choices = [choice for choice in System.choices if choice[0] in played]


def players(by: Membership, character: Character | None = None) -> Any:
    """Those who may play a character; one who plays this one may keep it after leaving."""
    here = Q(campaign=by.campaign, left_at=None, role__in=[Role.PLAYER, Role.GM])
    keeps = Q(pk=character.owner_id) if character and character.owner_id else Q(pk=None)
    return Membership.objects.filter(here | keeps).select_related("user").order_by("pk")
