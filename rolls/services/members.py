"""Open requests and procedures when somebody joins, leaves, or plays another character: they are told again."""

from __future__ import annotations

from campaigns.events import MEMBER_JOINED, MEMBER_LEFT, MEMBER_REMOVED, ROLE_CHANGED
from campaigns.models import Event, Role
from campaigns.services.log import UnitOfWork
from campaigns.signals import on_event
from characters.services.sheet_writes import get_characters
from rolls.models import Procedure, RollRequest
from rolls.queries.procedures import under_way
from rolls.registry import procedure_called, rules_of
from rolls.services.operation import RollOperation
from rolls.services.procedure_state import change
from rolls.services.procedure_telling import Step
from rolls.services.request_events import answer, close
from rules.checked import restored
from rules.procedures import PLAYERS_CHANGED


@on_event(MEMBER_LEFT, MEMBER_REMOVED)
def _gone(work: UnitOfWork, event: Event) -> None:
    """Update requests and procedures after a member left, at once: nothing runs after the last act of a deleted account."""
    if work.campaign.archived_at:
        return
    gone = event.payload["who"]["member"]
    _requests_without(work, gone)
    for procedure in under_way(work.campaign):
        rules = procedure_called(procedure.system, procedure.kind)
        played = rules.played(restored(rules.state, procedure.state)) if rules else ()
        if any(player.pk == gone for character in get_characters(work, played) for player in character.players):
            _tell_anew(work, procedure)
    _rules_tell_anew(work)


@on_event(ROLE_CHANGED)
def _role_changed(work: UnitOfWork, event: Event) -> None:
    payload = event.payload
    _requests_without(work, payload["who"]["member"] if payload["role"] == Role.SPECTATOR else None)


@on_event(MEMBER_JOINED)
def _joined(work: UnitOfWork, event: Event) -> None:
    _requests_without(work, None)


def _requests_without(work: UnitOfWork, gone: int | None) -> None:
    """Close the requests to a member who left; those to every player are for whoever is here now."""
    open_requests = RollRequest.objects.filter(campaign=work.campaign, closed_at=None, procedure=None)
    for request in open_requests.select_related("member__user", "character"):
        if request.member_id is None:
            answer(work, request)
        elif request.member_id == gone:
            close(work, request)


def character_changed(work: UnitOfWork, event: Event) -> None:
    """Note a character whose players changed: they may act for it from now on, and are asked."""
    card, before = event.payload["card"], event.payload["before"]
    if card and before and any(card[who] != before[who] for who in ("whose", "also")):
        work.state(RollOperation).changed_players[card["id"]] = None


def tell_players_changed(work: UnitOfWork) -> bool:
    """Tell open procedures again whose characters changed hands (settings.BEFORE_COMMIT). Return whether there were any."""
    operation = work.state(RollOperation)
    changed, operation.changed_players = operation.changed_players, {}
    for character in changed:
        _players_changed(work, character)
    return bool(changed)


def _players_changed(work: UnitOfWork, changed: str) -> None:
    for procedure in under_way(work.campaign):
        rules = procedure_called(procedure.system, procedure.kind)
        if rules and changed in rules.played(restored(rules.state, procedure.state)):
            _tell_anew(work, procedure)
    _rules_tell_anew(work)


def _rules_tell_anew(work: UnitOfWork) -> None:
    for rules in rules_of(work.campaign):
        rules.players_changed(work)


def _tell_anew(work: UnitOfWork, procedure: Procedure) -> None:
    rules = procedure_called(procedure.system, procedure.kind)
    if rules:
        state = restored(rules.state, procedure.state)
        change(work, procedure, rules, state, Step(act=PLAYERS_CHANGED, before=state))
