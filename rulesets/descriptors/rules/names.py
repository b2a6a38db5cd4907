"""The name of a nameless side of a roll, alone and at the start of a sentence."""

from __future__ import annotations

from typing import Final

from languages.text import gettext, gettext_noop

SOMEBODY: Final = gettext_noop("the other side")
"""The stored name of a side without a name; `called` gives the words for it."""


def called(name: str) -> str:
    """Return the name of a side, translated if it is nameless."""
    return gettext(SOMEBODY) if name == SOMEBODY else name


def sentence(words: str) -> str:
    """Return the words with a capital: they may begin with those for a nameless side."""
    return words[:1].upper() + words[1:]
