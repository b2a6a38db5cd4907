"""What is typed about a Burn."""

from __future__ import annotations

from django import forms

from campaigns.forms.fields import TextField
from rolls.forms.fields import SeedField
from rulesets.scale.rules.scale import Effect


class EffectForm(forms.Form):
    """What a fired Burn does."""

    effect = forms.ChoiceField(choices=[(effect.value, effect.value) for effect in Effect])
    words = TextField(max_length=10_000, required=False)
    npc = forms.UUIDField(required=False)


class MarkForm(forms.Form):
    """Which of what an oracle gives is marked on the sheet."""

    choice = forms.SlugField(max_length=40)
    client_seed = SeedField()


class WordsForm(forms.Form):
    """A text that must say something: the narration of a Major Burn."""

    text = TextField(max_length=10_000)
