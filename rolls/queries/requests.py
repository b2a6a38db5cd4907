"""The requested rolls of a table page: the same dicts as in events, so that live equals reload."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from campaigns.errors import existing
from campaigns.models import Campaign, Membership, Role, Viewer
from campaigns.models.log import person
from characters.models import Character
from rolls.events import described_request
from rolls.models import Audience, RollRequest


def open_requests(viewer: Viewer) -> list[dict[str, Any]]:
    """Return the open requests for rolls that this viewer may see."""
    requests = viewer.campaign.roll_requests.filter(closed_at=None)
    # There are none most of the time, and then this asks for nothing else.
    asked = requests.prefetch_related("member__user", "character")
    return [payload for request in asked if (payload := _request(request, viewer)) is not None]


def seen_request(viewer: Viewer, request_id: UUID) -> dict[str, Any]:
    """Return a request, open or not. Raises NotFound for one that this viewer may not see."""
    return existing(_request(existing(viewer.campaign.roll_requests.filter(pk=request_id).first()), viewer))


def _request(request: RollRequest, viewer: Viewer) -> dict[str, Any] | None:
    """Return a request as the viewer sees it; None if it is private and they are not asked. Of a private one they see
    only their own part.
    """
    waiting = waited_for(request)
    rolled = rolled_already(request, waiting)
    if viewer.is_gm or request.audience == Audience.TABLE:
        return described_request(request_payload(request, waiting, rolled))
    me = viewer.membership
    if me is None or viewer.role != "player" or me not in asked_members(request):
        return None
    return described_request(request_payload(request, [member for member in waiting if member == me]))


def asked_members(request: RollRequest) -> list[Membership]:
    """Return the members asked: one, or every player at the table now who plays by the rules of the request. While no
    player has a character, that is each of them."""
    here = _here(request.campaign_id)
    if request.member_id:
        return list(here.filter(pk=request.member_id))
    games = players_by_game(request.campaign)
    return games.get(request.system, []) if games else list(here.filter(role=Role.PLAYER))


def players_by_game(campaign: Campaign) -> dict[str, list[Membership]]:
    """Return the players at the table now by the games of their characters, in the order of the campaign's games.

    Whoever has no character goes with the first of these games.
    """
    players = list(_here(campaign.pk).filter(role=Role.PLAYER))
    characters = Character.objects.active().filter(campaign=campaign, is_crew=False)
    own: dict[int, set[str]] = {player.pk: set() for player in players}
    for system, *owners in characters.values_list("system", "owner", "co_owners"):
        for owner in own.keys() & {*owners}:
            own[owner].add(system)
    games = [system for system in campaign.systems if any(system in played for played in own.values())]
    first = {*games[:1]}
    return {game: [player for player in players if game in (own[player.pk] or first)] for game in games}


def _here(campaign: UUID) -> QuerySet[Membership]:
    return Membership.objects.active().filter(campaign=campaign).select_related("user").order_by("pk")


def waited_for(request: RollRequest) -> list[Membership]:
    """Return the members asked who have not rolled yet; voided rolls do not count.

    Nobody can roll what is only announced. Members asked by a procedure are waited for until it closes the request.
    """
    if request.announced:
        return []
    if request.procedure_id:
        return asked_members(request)
    rolled = set(request.rolls.filter(voided_at=None).values_list("by", flat=True))
    return [member for member in asked_members(request) if member.pk not in rolled]


def rolled_already(request: RollRequest, waiting: list[Membership]) -> list[Membership]:
    """Return the members who have already rolled; [] where only one was asked."""
    if request.member_id or request.announced:
        return []
    return [member for member in asked_members(request) if member not in waiting]


def request_payload(
    request: RollRequest, waiting: list[Membership], rolled: Sequence[Membership] = ()
) -> dict[str, Any]:
    """Return a request's payload.

    `whose` is None if every player is asked. `waits_for` are those still to roll and `rolled` those who have, as far as
    the readers may know. `announced`: `whose` wants to roll, and a GM has yet to set the roll.
    """
    return {
        "id": str(request.pk),
        "whose": person(request.member) if request.member else None,
        **asked_for(request),
        "announced": request.announced,
        "reason": request.reason,
        "audience": request.audience,
        "waits_for": [person(member) for member in waiting],
        "rolled": [person(member) for member in rolled],
        "order": int(request.asked_at.timestamp() * 1000),
        "procedure": str(request.procedure_id) if request.procedure_id else None,
        "character": request.character.ref if request.character else None,
    }


def asked_for(request: RollRequest) -> dict[str, Any]:
    """Return a request's ruleset and terms."""
    return {"system": request.system, "terms": request.terms}
