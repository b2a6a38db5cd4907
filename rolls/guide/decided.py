"""What campaigns can decide, and what holds until they do: read off the settings of the rules themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from fractions import Fraction
from typing import Any, Final

from rolls.guide.content import Setting
from rolls.rules import arc_settings, descriptors, scale, storyteller
from rolls.settings import RollSettings
from rolls.settings_words import WORDS

SETTINGS: Final[Mapping[str, tuple[type, ...]]] = {
    "scale": (scale.Settings,),
    "storyteller": (storyteller.Settings, RollSettings),
    "descriptors": (descriptors.Settings,),
    "arc": (arc_settings.Settings,),
}
"""The settings of each system."""

PLAYED: Final = frozenset({"scale", "storyteller"})
"""Systems whose settings have words on the campaign's own page (rolls.settings.WORDS); those of the others have theirs here."""


def defaults(system: str) -> dict[str, Any]:
    """Every field of a system's settings that has a plain default, by name."""
    return {
        field.name: field.default for kind in SETTINGS[system] for field in fields(kind) if field.default is not MISSING
    }


def setting(name: str, asks: str = "") -> Setting:
    """The setting "<system>.<field>". `asks` says what it decides, where the settings page of campaigns does not.

    KeyError for a setting that there is not.
    """
    system, _, field = name.partition(".")
    default = defaults(system)[field]
    return Setting(name, WORDS["storyteller" if field == "automatic_success" else system][field] if system in PLAYED else asks, in_words(default))


def in_words(value: object) -> str:
    """A default as one reads it: yes or no, a number, a list."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(in_words(one) for one in value)
    if isinstance(value, Fraction) and value.denominator > 1:
        return f"{value.numerator}/{value.denominator}"
    return str(value)
