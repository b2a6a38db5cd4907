"""Asking for rolls: the GM names who, what, how hard and for whose eyes, and may change it until the dice fall."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from campaigns.errors import Invalid, Missing, Waiting
from campaigns.models import Membership, Role
from campaigns.services.log import Table, at_table
from rolls.models import Audience, RollRequest
from rolls.services.asked import CHANGED, close, tell_request
from rolls.services.roller import short_note
from rolls.services.systems import system_of
from rolls.services.systems.base import Ask, Looker
from rolls.settings import roll_settings


@dataclass(frozen=True)
class Call:
    """What the GM calls for: a roll such as the `ask` of any system, as far as it is the GM's to say, and what for."""

    ask: Ask
    reason: str = ""


@at_table(Role.GM)
def ask_for_roll(
    table: Table, call: Call, *, member: int | None = None, audience: Audience = Audience.TABLE, key: UUID
) -> RollRequest:
    """Ask one member for a roll, or every player (`member` None).

    Raises Missing for somebody who is not at the table, and Invalid for what the rules do not allow.
    """
    asked = _member(table, member) if member is not None else None
    request = RollRequest(pk=table.key, campaign=table.campaign, member=asked, audience=audience, asked_at=table.now)
    _set(table, request, call)
    request.save(force_insert=True)
    tell_request(table, "rolls.roll_asked", request)
    return request


@at_table(Role.GM)
def change_request(table: Table, request_id: UUID, call: Call, *, key: UUID) -> RollRequest:
    """Change what is asked for, before the dice fall."""
    request = _open(table, request_id)
    before = {"words": request.words}
    _set(table, request, call)
    request.save()
    tell_request(table, CHANGED, request, before=before)
    return request


@at_table(Role.GM)
def close_request(table: Table, request_id: UUID, *, key: UUID) -> RollRequest:
    """Ask no longer, whoever has not rolled."""
    request = _open(table, request_id)
    close(table, request, dropped=True)
    return request


def _set(table: Table, request: RollRequest, call: Call) -> None:
    campaign = table.campaign
    looker = Looker(campaign=campaign, character=None, settings=roll_settings(campaign), is_gm=True)
    requested = system_of(campaign, call.ask.system).request(looker, call.ask)
    request.system, request.terms, request.words = call.ask.system, requested.terms, requested.words
    request.reason = short_note(call.reason)


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
