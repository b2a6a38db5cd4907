"""What characters say."""

from __future__ import annotations

from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Invalid
from campaigns.models import Event, Role
from campaigns.models.play import Manner
from campaigns.pictures import Upload
from campaigns.services.log import UnitOfWork, service
from campaigns.services.play import speak
from characters.models import Character
from characters.services.lookup import get_writable, in_play


@service(Role.PLAYER, plays=True)
def say_as(work: UnitOfWork, character: Character, words: str, *, picture: Upload | None = None, key: UUID) -> Event:
    """Let a character speak to the whole table. Raises Invalid for an NPC that is hidden from players."""
    current = get_writable(work, character)
    in_play(current, "voice")
    if current.is_hidden:
        message = _("Players don’t know about {name} yet. Reveal them first, or narrate.")
        raise Invalid(message.format(name=current.name), field="voice")
    return speak(work, Manner.CHARACTER, words, voice=current.subject, picture=picture)
