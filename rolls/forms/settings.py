"""What a table decides about its rules."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from django import forms

from rolls.rules import scale, storyteller
from rolls.settings import RollSettings, stored


class RulesForm(forms.Form):
    """What a table decides where the rules leave it open; each field is one of RollSettings."""

    shared = forms.BooleanField(
        required=False, label="One Scale for the whole table", help_text="Off: each player character has its own."
    )
    npcs_feed = forms.BooleanField(required=False, label="Action rolls of NPCs move the Scale too")
    cancelled_ones_count = forms.BooleanField(
        required=False,
        label="1s that cancel a success still count −1",
        help_text="The text skips them, which lets the Scale drift upward; with this it does not.",
    )
    players_call_in_trouble = forms.BooleanField(
        required=False, label="Players may call in their banked Trouble themselves"
    )
    staying_is_reaching = forms.BooleanField(required=False, label="Every roll that ends at ±3 or beyond offers a Burn")
    major_clears_bank = forms.BooleanField(required=False, label="A Major Burn takes the banked Burn with it")
    willpower_prevents_botch = forms.BooleanField(required=False, label="A Willpower point keeps a roll from botching")
    botch_cancellation = forms.BooleanField(required=False, label="Abilities of 5 and 6 take 1s out of a botch")
    tens_count_twice = forms.BooleanField(required=False, label="A 10 is two successes")
    automatic_success = forms.BooleanField(
        required=False,
        label="Players may let a large enough pool succeed without dice",
        help_text="Off: only when the GM allows it.",
    )

    @classmethod
    def filled(cls, now: RollSettings) -> dict[str, Any]:
        """The settings as they are, as initial values."""
        plain = stored(now)
        return {**plain["scale"], **plain["storyteller"], "automatic_success": plain["automatic_success"]}

    def settings(self) -> RollSettings:
        given = self.cleaned_data
        of_scale = {f.name: given[f.name] for f in fields(scale.Settings)}
        of_rolls = {f.name: given[f.name] for f in fields(storyteller.Settings) if f.name in given}
        return RollSettings(
            scale=scale.Settings(**of_scale),
            storyteller=storyteller.Settings(**of_rolls),
            automatic_success=given["automatic_success"],
        )
