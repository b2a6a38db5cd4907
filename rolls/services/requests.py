"""Asking for rolls: the GM names who, what, how hard and for whose eyes, and may change it until the dice fall.

A player may announce a roll: that is a request of their own, which a GM sets before it can be rolled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Invalid, NotFound, existing
from campaigns.models import Membership, Role
from campaigns.services.log import UnitOfWork, service
from characters.models import Character
from rolls.events import REQUEST_CHANGED, ROLL_ANNOUNCED, ROLL_ASKED
from rolls.models import Audience, RollRequest
from rolls.queries.requests import asked_for, asked_members
from rolls.registry import in_game, played
from rolls.services.roll_context import close, roll_context, short_note, tell_request
from rolls.settings import roll_settings
from rolls.table_rules import OddsContext, RollInput


@dataclass(frozen=True)
class Call:
    """A GM's call for a roll: the `ask` of any system, as far as it is the GM's to set, and its reason. With a character
    in the ask it is for that one and its player.
    """

    ask: RollInput
    reason: str = ""


@service(Role.GM, plays=True)
def ask_for_roll(
    work: UnitOfWork, call: Call, *, member: int | None = None, audience: Audience = Audience.TABLE, key: UUID
) -> RollRequest:
    """Ask for a roll of the character of the ask, else of one member, or of every player of these rules (`member` None).

    Raises NotFound for a member who is not at the table or does not play the character, and Invalid for what the rules
    do not allow, and where no player plays by them. Whoever is named may be asked by any: they type what a sheet would say.
    """
    character = _played(work, call.ask.character, member) if call.ask.character else None
    member = character.owner.number if character and character.owner and member is None else member
    asked = _member(work, member) if member is not None else None
    return _ask(work, call, work.key, member=asked, character=character, audience=audience)


@service(Role.GM, plays=True)
def ask_every_player(work: UnitOfWork, calls: Sequence[Call], *, audience: Audience, key: UUID) -> RollRequest:
    """Ask every player in their own game: one or more calls, each by the rules of another. Return the request of the first.

    Raises InvalidForm where `ask_for_roll` raises Invalid, as `in_game` says it.
    """
    made: list[RollRequest] = []
    for call in calls:
        with in_game(call.ask.system):
            made.append(_ask(work, call, work.id(call.ask.system) if made else work.key, audience=audience))
    return made[0]


def _ask(work: UnitOfWork, call: Call, pk: UUID, **whose: Any) -> RollRequest:
    request = RollRequest(pk=pk, campaign=work.campaign, asked_at=work.now, **whose)
    _set(work, request, call)
    if not asked_members(request):
        raise Invalid(_("No one you ask plays by these rules. Choose other rules."), field="system")
    request.save(force_insert=True)
    tell_request(work, ROLL_ASKED, request)
    return request


@service(Role.PLAYER, plays=True)
def announce_roll(work: UnitOfWork, call: Call, *, audience: Audience, key: UUID) -> RollRequest:
    """Announce a roll, so that a GM sets its difficulty and requests it.

    Raises NotFound for a character that is not theirs, and Invalid for what the rules do not allow or only the GM may set.
    """
    request = RollRequest(
        pk=work.key, campaign=work.campaign, member=work.by, audience=audience, asked_at=work.now, announced=True
    )
    character = roll_context(work, call.ask, audience, roll_settings(work.campaign)).character
    _set(work, request, call, character, is_gm=False)
    request.character = _for_whom(work, request, call.ask.character)
    request.save(force_insert=True)
    tell_request(work, ROLL_ANNOUNCED, request)
    return request


@service(Role.GM)
def change_request(work: UnitOfWork, request_id: UUID, call: Call, *, key: UUID) -> RollRequest:
    """Change a request before the dice fall. This also turns a player's announcement into a request."""
    request = _open(work, request_id)
    announced, before = request.announced, asked_for(request)
    _set(work, request, call)
    request.announced = False
    request.save()
    if announced:
        tell_request(work, ROLL_ASKED, request)
    else:
        tell_request(work, REQUEST_CHANGED, request, before=before)
    return request


@service(Role.GM)
def close_request(work: UnitOfWork, request_id: UUID, *, key: UUID) -> RollRequest:
    """Withdraw a request, whoever has not rolled; also a player's announcement."""
    request = _open(work, request_id)
    close(work, request, dropped=True)
    return request


@service(Role.PLAYER)
def withdraw_roll(work: UnitOfWork, request_id: UUID, *, key: UUID) -> RollRequest:
    """Take back what one has announced. Raises NotFound for what others have, and Blocked once a GM has set it."""
    request = _open(work, request_id)
    if request.member_id != work.by.pk:
        raise NotFound
    if not request.announced:
        raise Blocked(_("The GM has already set this roll. Roll it, or ask the GM to cancel it."))
    close(work, request, dropped=True)
    return request


def _set(
    work: UnitOfWork, request: RollRequest, call: Call, character: Character | None = None, *, is_gm: bool = True
) -> None:
    campaign = work.campaign
    context = OddsContext(
        campaign=campaign, character=character, settings=roll_settings(campaign), is_gm=is_gm, by=work.by
    )
    requested = played(campaign, call.ask.system).table.kind(call.ask.kind).request(context, call.ask)
    whose = request.character
    if whose and whose.system != call.ask.system:
        message = _("{name} plays by other rules. Request the roll by those.").format(name=whose.name)
        raise Invalid(message, field="system")
    request.system, request.terms = call.ask.system, requested.terms
    request.audience = requested.audience or request.audience
    request.reason = short_note(call.reason)


def _played(work: UnitOfWork, wanted: UUID, member: int | None) -> Character:
    """Return a character that the member plays; that anyone plays, if none is named. Raises NotFound."""
    there = Character.objects.active().filter(campaign=work.campaign, is_crew=False).exclude(owner=None)
    character = existing(there.with_related().filter(pk=wanted).first())
    if member is not None and member not in [player.number for player in character.players]:
        raise NotFound
    return character


def _for_whom(work: UnitOfWork, request: RollRequest, wanted: UUID | None) -> Character | None:
    """Return the `wanted` character, where its member plays that one by the rules of the request."""
    if request.member is None or wanted is None:
        return None
    mine = Character.objects.controlled_by(request.member).select_related("owner__user")
    return mine.filter(pk=wanted, system=request.system).first()


def _member(work: UnitOfWork, member: int) -> Membership:
    current = existing(Membership.objects.active().numbered(work.campaign.pk, member))
    if current.role == Role.SPECTATOR:
        raise Invalid(_("Spectators can’t roll."), field="member")
    return current


def _open(work: UnitOfWork, request_id: UUID) -> RollRequest:
    requests = work.campaign.roll_requests.select_related("member__user", "character")
    request = existing(requests.filter(pk=request_id).first())
    if request.closed_at:
        raise Blocked(_("This request is no longer open."))
    if request.procedure_id:
        raise Blocked(_("This roll is part of something in progress. Change or end that instead."))
    return request
