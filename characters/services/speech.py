"""What characters say."""

from __future__ import annotations

from uuid import UUID

from campaigns.errors import Invalid
from campaigns.models import Event, Role
from campaigns.models.play import Manner
from campaigns.services.log import Table, at_table
from campaigns.services.play import speak
from characters.models import Character
from characters.services.finding import in_play, own


@at_table(Role.PLAYER)
def say_as(table: Table, character: Character, words: str, *, key: UUID) -> Event:
    """Let a character speak, for everybody to hear. Nobody hears an NPC of whom players know nothing: show it first."""
    found = own(table, character)
    in_play(found, "voice")
    if found.is_hidden:
        raise Invalid(f"Players do not know of {found.name} yet. Show them first, or narrate.", field="voice")
    return speak(table, Manner.CHARACTER, words, voice=found.about)
