"""Asking for rolls: the GM names who, what, how hard and for whose eyes, and may change it until the dice fall."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from campaigns.errors import Invalid, Missing, Waiting
from campaigns.models import Membership, Role
from campaigns.services.log import Table, at_table
from characters.sheets import storyteller as sheet
from rolls.models import Audience, RollRequest
from rolls.rules.errors import whole
from rolls.rules.storyteller import HIGHEST_DIFFICULTY, LOWEST_DIFFICULTY, Kind
from rolls.services.asked import CHANGED, close, tell_request, words_of
from rolls.services.refusal import by_the_rules
from rolls.services.roller import short_note
from rolls.services.systems.storyteller.ask import kind_of


@dataclass(frozen=True, kw_only=True)
class Call:
    """What the GM calls for. `traits` as one types them ("perception + alertness"), empty to leave them to the player."""

    traits: str = ""
    difficulty: int = 6
    kind: str = Kind.ACTION.value
    reason: str = ""
    automatic: bool = False


@at_table(Role.GM)
def ask_for_roll(
    table: Table, call: Call, *, member: int | None = None, audience: Audience = Audience.TABLE, key: UUID
) -> RollRequest:
    """Ask one member for a roll, or every player (`member` None). Raises Missing for somebody who is not at the table."""
    asked = _member(table, member) if member is not None else None
    request = RollRequest(pk=table.key, campaign=table.campaign, member=asked, audience=audience, asked_at=table.now)
    _set(request, call)
    request.save(force_insert=True)
    tell_request(table, "rolls.roll_asked", request)
    return request


@at_table(Role.GM)
def change_request(table: Table, request_id: UUID, call: Call, *, key: UUID) -> RollRequest:
    """Change what is asked for, before the dice fall."""
    request = _open(table, request_id)
    before = {"words": words_of(request)}
    _set(request, call)
    request.save()
    tell_request(table, CHANGED, request, before=before)
    return request


@at_table(Role.GM)
def close_request(table: Table, request_id: UUID, *, key: UUID) -> RollRequest:
    """Ask no longer, whoever has not rolled."""
    request = _open(table, request_id)
    close(table, request, dropped=True)
    return request


def _set(request: RollRequest, call: Call) -> None:
    with by_the_rules():
        request.difficulty = whole("difficulty", call.difficulty, LOWEST_DIFFICULTY, HIGHEST_DIFFICULTY)
        # No sheet yet: only whether there are such traits, and what they are called.
        request.traits = sheet.read_pool({}, call.traits).label if call.traits.strip() else ""
    request.kind = kind_of(call.kind).value
    request.reason = short_note(call.reason)
    request.automatic = call.automatic


def _member(table: Table, member: int) -> Membership:
    found = Membership.objects.here().filter(campaign=table.campaign, pk=member).select_related("user").first()
    if found is None:
        raise Missing
    if found.role == Role.SPECTATOR:
        raise Invalid("Spectators do not roll.", field="member")
    return found


def _open(table: Table, request_id: UUID) -> RollRequest:
    request = RollRequest.objects.filter(campaign=table.campaign, pk=request_id).select_related("member__user").first()
    if request is None:
        raise Missing
    if request.closed_at:
        raise Waiting("This roll is no longer asked for.")
    return request
