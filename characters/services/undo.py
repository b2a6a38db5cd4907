"""Undo the last manual change of a sheet, unless somebody has written there since."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Conflict, Invalid
from campaigns.models import Event, Role
from campaigns.services.log import UnitOfWork, last_actor, service
from characters.events import FIELD_CHANGED, ROW_ADDED
from characters.models import Character
from characters.queries.undo import own_changes
from characters.reasons import TAKEN_BACK
from characters.services.fields import check_unlocked
from characters.services.lookup import get_writable, in_play
from characters.services.sheet_writes import ChangeReason, erase_row, row_address, write, write_row
from characters.sheets.fields import SheetError, Value, Visibility


@service(Role.PLAYER)
def undo_change(work: UnitOfWork, character: Character, *, key: UUID) -> Character:
    """Undo the member's own last change of this sheet, and what followed from it; called again, the one before.

    Raises Invalid if there is nothing to undo, and Conflict (with the current value and who wrote it) if somebody, or a
    roll, has written there since.
    """
    current = get_writable(work, character)
    in_play(current)
    last = next(own_changes(work.by, current), None)
    if last is None:
        raise Invalid(_("You have no changes to undo here."))
    try:
        check_unlocked(work, current, _sight(current, last))
        _take_back(work, current, last)
    except SheetError as error:
        raise Invalid(_("This can’t be undone: {why}").format(why=error.message), field=error.field or None) from None
    return current


def _address(event: Event) -> str:
    """Return the address of the field or the row that an event is about."""
    if event.kind == FIELD_CHANGED:
        return str(event.payload["cell"]["field"])
    return row_address(event.payload["rows"], event.payload["row"]["id"])


def _sight(character: Character, event: Event) -> Visibility:
    name = _address(event).split("/")[0]
    return character.rules.lists[name].visibility if name in character.rules.lists else character.place(name).visibility


def _take_back(work: UnitOfWork, character: Character, event: Event) -> None:
    address, payload = _address(event), event.payload
    _nobody_since(work, character, event, address)
    cause = ChangeReason(TAKEN_BACK, undoes=str(event.uid))
    if event.kind == FIELD_CHANGED:
        followers = _followers(work, character, event)
        _write_back(work, character, event, _left_at(event, followers), cause)
        for following in followers:
            if _address(following) != address:
                after = following.payload["after"]
                _write_back(work, character, following, after, ChangeReason(TAKEN_BACK, follows=address))
        return
    rows = character.rules.rows_called(payload["rows"])
    if event.kind == ROW_ADDED:
        erase_row(work, character, rows, payload["row"]["id"], cause)
    else:
        write_row(work, character, rows, payload["row"]["id"], payload["row"]["values"], cause, at=payload["at"])


def _left_at(event: Event, followers: Sequence[Event]) -> Value:
    """Return the value after the operation: what followed may have changed the same field once more."""
    same = [follower for follower in followers if _address(follower) == _address(event)]
    left: Value = [event, *same][-1].payload["after"]
    return left


def _write_back(work: UnitOfWork, character: Character, event: Event, after: Value, cause: ChangeReason) -> None:
    address = _address(event)
    if character.value(address) == after:
        write(work, character, address, event.payload["before"], cause)
    elif not cause.follows:
        raise _stale(character, address, last_actor(character.campaign, character.field_subject(address).key))


def _followers(work: UnitOfWork, character: Character, event: Event) -> list[Event]:
    """Return the events of fields that were lowered with this one in the same operation, or followed from it by the rules."""
    later = Event.objects.filter(actor=work.by, kind=FIELD_CHANGED, at=event.at, pk__gt=event.pk)
    events = later.about(character.subject.key).select_related("stored")
    once = {follower.uid: follower for follower in events if follower.payload.get("follows") == _address(event)}
    return list(once.values())


def _nobody_since(work: UnitOfWork, character: Character, event: Event, address: str) -> None:
    since = Event.objects.filter(campaign=work.campaign, pk__gt=event.pk).exclude(actor=work.by)
    other = since.about(character.field_subject(address).key).before(None).select_related("stored").first()
    if other is not None:
        raise _stale(character, address, other.actor_name)


def _stale(character: Character, address: str, by: str) -> Conflict:
    try:
        current = character.value(address)
    except SheetError:  # a row, or in one that is gone
        current = None
    if by:
        message = _("{who} has changed this since, so your change can’t be undone.").format(who=by)
    else:
        message = _("Someone has changed this since, so your change can’t be undone.")
    return Conflict(message, field=address, current=current, by=by)
