"""Undoing what a line of the log tells, whatever it was; rolls are voided instead (rolls/services/rolls.py)."""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Conflict, existing
from campaigns.live.render import render_body, to_text
from campaigns.models import Event, Role, Written
from campaigns.services.clocks import undo_tick
from campaigns.services.log import UnitOfWork, service
from campaigns.services.undo import undo
from characters.models import Character, LedgerEntry
from characters.services.fields import undo_by_hand
from characters.services.ledger import refund
from characters.services.sheet_writes import get_character
from rolls.models import ProcedureStep
from rolls.services.procedures import take_back
from scale.services.scale import take_back_act


@service(Role.GM)
def undo_line(work: UnitOfWork, uid: UUID, *, key: UUID) -> None:
    """Undo what the line of this event tells, with all that followed: a step of a procedure, which goes on then, or its end by a
    GM, a tick of a clock, a change or a purchase on a sheet, an act on a Burn.

    Raises Conflict where it was undone already, and where something was changed since, saying what and by whom; Blocked and
    Invalid where that cannot be undone any more.
    """
    existing(Event.objects.filter(campaign=work.campaign, uid=uid).first())
    lines = Written.objects.lines(work.campaign)
    line = lines.filter(told=uid).last()
    if line is None:
        raise Conflict(_("Someone has already undone this, or it can’t be undone."))
    begun = Written.objects.filter(cause=line.cause, thing__startswith="procedure:", path="", told=None)
    later = lines.filter(Q(thing=line.thing) | Q(thing__in=begun.values("thing")), pk__gt=line.pk).exclude(told=uid)
    if since := later.values_list("told", flat=True).last():
        raise Conflict(_since(work, since))
    kind, _colon, pk = line.thing.partition(":")
    thing, cause = UUID(pk), line.cause
    if kind == "clock":
        undo_tick(work, thing, cause)
    elif kind == "scale":
        take_back_act(work, thing, cause)
    elif kind == "sheet":
        _undo_on_sheet(work, get_character(work, Character(pk=thing)), cause)
    elif ProcedureStep.objects.filter(uid=cause).exists():
        take_back(work, thing, cause)
    else:
        undo(work, cause)


def _undo_on_sheet(work: UnitOfWork, character: Character, cause: UUID) -> None:
    if character.deleted_at:
        raise Blocked(_("{name} was deleted, so this can’t be undone.").format(name=character.name))
    if LedgerEntry.objects.filter(pk=cause).exists():
        refund(work, character, cause)
    else:
        undo_by_hand(work, character, cause)


def _since(work: UnitOfWork, uid: UUID) -> str:
    """Return the message that names what was done since, and by whom."""
    told = Event.objects.filter(campaign=work.campaign, uid=uid).with_related().select_related("campaign")
    event = existing(told.order_by("pk").last())
    message = _("{name} has gone on since. Undo this first: {said}")
    return message.format(name=event.actor_name, said=to_text(render_body(event, Role.GM)))
