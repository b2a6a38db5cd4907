"""A Key comes up: claimed at the table by one press, with what happened in words where somebody says so."""

from __future__ import annotations

from uuid import UUID

from campaigns.models import Role
from campaigns.models.play import Manner
from campaigns.services.log import UnitOfWork, service
from campaigns.services.play import speak
from characters.models import Character, Claim
from characters.services.claims import claim_in
from characters.services.lookup import get_writable
from rolls.services.roll_context import short_note
from rulesets.descriptors.rules.keys import Level


@service(Role.PLAYER)
def hit_key(work: UnitOfWork, character: Character, row_id: str, level: Level, *, words: str = "", key: UUID) -> Claim:
    """This happened to a Key of a character in this scene. `words` are said in the character's voice's stead, out of the story,
    before it. Raises as `make_claim` does: once for each level and scene, where the campaign has it so."""
    bearer = get_writable(work, character)
    if words := short_note(words):
        speak(work, Manner.PLAYER, words)
    return claim_in(work, bearer, "key", {"level": f"{row_id}/{level}"})
