"""Forms for XP."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import F, QuerySet
from django.utils.translation import gettext_lazy as _

from campaigns.forms.fields import LineField
from campaigns.models import Campaign, Membership
from characters.models import Character
from characters.rulesets import tracks_of
from characters.services.ledger import LONGEST_REASON, MOST_AT_ONCE


class NamesOfCharacters(forms.ModelMultipleChoiceField):
    widget = forms.CheckboxSelectMultiple

    def label_from_instance(self, character: Character) -> str:
        return f"{character.name} ({character.owner.name})" if character.owner else character.name


class AwardForm(forms.Form):
    """XP for some characters, by default all player characters. `track` is a field if some have several tracks."""

    characters = NamesOfCharacters(
        label=_("Characters"),
        queryset=Character.objects.none(),
        error_messages={
            "required": _("Choose at least one character."),
            "invalid_choice": _("Someone has left play. Choose again."),
        },
    )
    amount = forms.IntegerField(label=_("XP"), min_value=1, max_value=MOST_AT_ONCE, initial=1)
    reason = LineField(label=_("Reason"), max_length=LONGEST_REASON)
    track = forms.ChoiceField(
        label=_("Track"),
        required=False,
        help_text=_("Only for characters with several XP tracks."),
    )

    def __init__(self, by: Membership, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        characters = earning(by.campaign)
        field = self.fields["characters"]
        assert isinstance(field, NamesOfCharacters)  # noqa: S101  # for mypy
        field.queryset = characters
        field.initial = [character.pk for character in characters if character.owner_id]
        tracks = dict(track for character in characters for track in tracks_of(character))
        track = self.fields["track"]
        assert isinstance(track, forms.ChoiceField)  # noqa: S101  # for mypy
        track.choices = list(tracks.items())
        if not tracks:
            del self.fields["track"]


def earning(campaign: Campaign) -> QuerySet[Character]:
    """Return those who can be given XP: players' characters first, then crews; NPCs last."""
    characters = Character.objects.filter(campaign=campaign).active().with_related()
    return characters.order_by(F("owner").asc(nulls_last=True), "-is_crew", "name", "id")
