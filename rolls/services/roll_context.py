"""Who rolls and for whose eyes: what every roll has to know before its rules are asked."""

from __future__ import annotations

from uuid import UUID

from campaigns.errors import Conflict, Invalid, NotFound
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.services.lookup import keep
from rolls.models import Audience
from rolls.services.request_events import asked_roll
from rolls.services.rule_errors import keep_hidden
from rolls.settings import RollSettings
from rolls.table_rules import LONGEST_NOTE, RollContext, RollInput


def roll_context(work: UnitOfWork, ask: RollInput, audience: Audience, settings: RollSettings) -> RollContext:
    """Find the character and the request under the lock.

    A roll that answers a request has the request's audience. Raises NotFound for a character or request that is not theirs,
    Blocked for a request that is closed, Conflict for one that asks for a roll by other rules, Invalid for a roll that would
    betray a hidden NPC.
    """
    character = _character(work, ask.character)
    request = asked_roll(work, ask.request) if ask.request else None
    if request and request.system != ask.system:
        message = "The GM asks for a roll by other rules. Look at what is asked for now, then roll that."
        raise Conflict(message, field="system", current=request.system)
    seen_by = Audience(request.audience) if request else audience
    keep_hidden(character, seen_by, field="audience")
    return RollContext(work=work, character=character, request=request, audience=seen_by, settings=settings)


def short_note(note: str) -> str:
    """The note without space around it. Raises Invalid where it is longer than LONGEST_NOTE."""
    if len(note) > LONGEST_NOTE:
        raise Invalid(f"A note has at most {LONGEST_NOTE} characters.", field="note")
    return note.strip()


def _character(work: UnitOfWork, wanted: UUID | None) -> Character | None:
    if wanted is None:
        return None
    mine = Character.objects.controlled_by(work.by).select_related("owner__user")
    character = mine.filter(pk=wanted).first()
    if character is None:
        raise NotFound
    return keep(work, character)
