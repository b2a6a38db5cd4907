"""Who rolls and for whose eyes: what every roll has to know before its rules are asked."""

from __future__ import annotations

from uuid import UUID

from campaigns.errors import Invalid, Missing, Stale
from campaigns.services.log import Table
from characters.models import Character
from rolls.models import Audience
from rolls.services.asked import asked_roll
from rolls.services.refusal import keep_hidden
from rolls.settings import RollSettings
from rolls.table_rules import LONGEST_NOTE, Ask, Roller


def roller_of(table: Table, ask: Ask, audience: Audience, settings: RollSettings) -> Roller:
    """Find the character and the request under the lock.

    A roll that answers a request has the request's audience. Raises Missing for a character or request that is not theirs,
    Waiting for a request that is closed, Stale for one that asks for a roll by other rules, Invalid for a roll that would betray
    a hidden NPC.
    """
    character = _character(table, ask.character)
    request = asked_roll(table, ask.request) if ask.request else None
    if request and request.system != ask.system:
        message = "The GM asks for a roll by other rules. Look at what is asked for now, then roll that."
        raise Stale(message, field="system", current=request.system)
    seen_by = Audience(request.audience) if request else audience
    keep_hidden(character, seen_by, field="audience")
    return Roller(table=table, character=character, request=request, audience=seen_by, settings=settings)


def short_note(note: str) -> str:
    """The note without space around it. Raises Invalid where it is longer than LONGEST_NOTE."""
    if len(note) > LONGEST_NOTE:
        raise Invalid(f"A note has at most {LONGEST_NOTE} characters.", field="note")
    return note.strip()


def _character(table: Table, wanted: UUID | None) -> Character | None:
    if wanted is None:
        return None
    mine = Character.objects.played_by(table.by).select_related("owner__user")
    character = mine.filter(pk=wanted).first()
    if character is None:
        raise Missing
    return character
