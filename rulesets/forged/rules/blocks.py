"""What keeps a scoundrel from acting (forged.txt, Consequences; public rules, Stress and Trauma)."""

from __future__ import annotations

from typing import Final

from languages.text import gettext as _
from languages.text import gettext_lazy
from rules.errors import Block

FULL_STRESS: Final = Block("full_stress", gettext_lazy("with full stress"))
SEVERE_HARM: Final = Block("severe_harm", gettext_lazy("despite severe harm"))


def full_words(name: str) -> str:
    return _("{name}’s stress track is full. Choose a trauma first.").format(name=name)


def severe_words(name: str) -> str:
    return _("Severe harm: to act, {name} needs help, or a push for 2 stress.").format(name=name)
