"""What campaigns can decide, and what holds until they do: read off the settings of the rules themselves."""

from __future__ import annotations

from fractions import Fraction

from rolls.guide.content import Setting
from rolls.registry import setting_words
from rolls.settings import groups


def setting(name: str) -> Setting:
    """The setting "<system>.<field>" with its default. KeyError or AttributeError for one that there is not."""
    system, _, field = name.partition(".")
    return Setting(name, setting_words(name), in_words(getattr(groups()[system](), field)))


def in_words(value: object) -> str:
    """A default as one reads it: yes or no, a number, a list."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ", ".join(in_words(item) for item in value)
    if isinstance(value, Fraction) and value.denominator > 1:
        return f"{value.numerator}/{value.denominator}"
    return str(value)
