"""Who rolls, who sees it and on what terms: what every roll has to know before its rules are asked.

A GM's request binds the roll that answers it: the GM's terms win, and a player who saw others has to look again before
the dice fall.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaigns.errors import Blocked, Conflict, Invalid, NotFound, existing
from campaigns.kinds import EventKind
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.services.sheet_writes import get_character, in_play, remember
from characters.sheets.fields import SheetError
from languages.letters import fold
from rolls.events import REQUEST_CHANGED, REQUEST_CLOSED
from rolls.models import Audience, RollRequest
from rolls.queries.requests import asked_members, request_payload, rolled_already, waited_for
from rolls.settings import RollSettings
from rolls.table_rules import LONGEST_NOTE, RollContext, RollInput, Terms
from rules.errors import BlockedByState, RuleError

# Requested rolls: what a roll that answers one must know, and who is told what.


def asked_roll(work: UnitOfWork, request_id: UUID) -> RollRequest:
    """Return the open request that the actor answers, for a member who is absent where a procedure asks. Raises NotFound or
    Blocked."""
    requests = work.campaign.roll_requests.select_related("character__owner__user")
    request = existing(requests.filter(pk=request_id).first())
    instead = bool(request.procedure_id) and work.by.is_gm
    if not instead and work.by not in asked_members(request):
        raise NotFound
    waits = request.procedure_id or request.announced
    if not waits and work.by.pk not in [member.pk for member in waited_for(request)]:
        raise Blocked(_("You’ve already made this roll."))
    if request.closed_at:
        raise Blocked(_("The GM cancelled this request."))
    if request.announced:
        raise Blocked(_("The GM hasn’t set the terms of this roll yet."))
    return request


def tell_request(work: UnitOfWork, kind: EventKind, request: RollRequest, **more: Any) -> None:
    """Record an event about a request: to the table, or for a private roll to each of those asked and the GMs.

    Those asked in private do not learn who else has rolled; the GMs' version names everyone.
    """
    waiting = waited_for(request)
    whole = {"request": request_payload(request, waiting, rolled_already(request, waiting))} | more
    record = partial(work.record, kind, discriminator=str(request.pk))
    if request.audience == Audience.TABLE:
        record(whole, stream=TABLE)
        return
    for member in asked_members(request):
        own = [member] if member in waiting else []
        record({"request": request_payload(request, own)} | more, stream=member.stream)
    record(whole, stream=GM)


def answer(work: UnitOfWork, request: RollRequest) -> None:
    """Close a request after a roll if it waits for nobody any more; else tell it again."""
    if waited_for(request):
        tell_request(work, REQUEST_CHANGED, request)
    else:
        close(work, request)


def close(work: UnitOfWork, request: RollRequest, *, dropped: bool = False) -> None:
    """Ask no longer: all have rolled, or it was `dropped`."""
    request.closed_at = work.now
    request.save(update_fields=["closed_at"])
    tell_request(work, REQUEST_CLOSED, request, dropped=dropped)


def roll_context(work: UnitOfWork, ask: RollInput, audience: Audience, settings: RollSettings) -> RollContext:
    """Find the character and the request under the lock.

    A roll that answers a request has its audience, and is for the character that it names. Raises NotFound for a
    character or request that is not theirs, Blocked for a closed request or one for a character that they do not play
    any more, Conflict for a request by other rules, Invalid for a roll that would betray a hidden NPC.
    """
    request = asked_roll(work, ask.request) if ask.request else None
    character = _asked_character(work, request) if request and request.says_for_whom else _chosen(work, ask.character)
    if request and request.system != ask.system:
        message = _("The GM is asking for a roll by other rules. Check the request, then roll again.")
        raise Conflict(message, field="system", current=request.system)
    seen_by = Audience(request.audience) if request else audience
    keep_hidden(character, seen_by, field="audience")
    return RollContext(
        work=work,
        character=character,
        request=request,
        audience=seen_by,
        settings=settings,
        override=ask.override and work.by.is_gm,
    )


def context_of_procedure(
    work: UnitOfWork, request: RollRequest, settings: RollSettings, *, override: bool
) -> RollContext:
    """Return the context of a procedure's roll for the character of its request, whoever acts. Raises Invalid if that
    character left play.
    """
    character = request.character
    if character is not None:
        in_play(character)
        character = get_character(work, character)
    audience = Audience(request.audience)
    keep_hidden(character, audience, field="audience")
    return RollContext(
        work=work,
        character=character,
        request=request,
        audience=audience,
        settings=settings,
        override=override and work.by.is_gm,
    )


def _asked_character(work: UnitOfWork, request: RollRequest) -> Character | None:
    """Return the character that a request names; a GM may roll for an absent player. Raises Blocked if the member no
    longer plays it.
    """
    if work.by.is_gm and request.character is not None:
        in_play(request.character)
        return remember(work, request.character)
    try:
        return _chosen(work, request.character_id)
    except NotFound:
        name = request.character.name if request.character else ""
        words = _("You no longer play {name}. Ask the GM to request this roll again.")
        raise Blocked(words.format(name=name)) from None


def _chosen(work: UnitOfWork, wanted: UUID | None) -> Character | None:
    return controlled_character(work, wanted) if wanted else None


def short_note(note: str) -> str:
    """Return the note without space around it. Raises Invalid where it is longer than LONGEST_NOTE."""
    if len(note) > LONGEST_NOTE:
        raise Invalid(_("A note can have up to {count} characters.").format(count=LONGEST_NOTE), field="note")
    return note.strip()


def controlled_character(work: UnitOfWork, wanted: UUID) -> Character:
    """Return a character that the acting member may roll for, as it is under the lock. Raises NotFound."""
    character = get_character(work, Character(pk=wanted))
    if not character.is_rolled_by(work.by):
        raise NotFound
    return character


A = TypeVar("A", bound=RollInput)

LONGEST_NAME = 120
WORDS = {
    "ability": gettext_lazy("ability"),
    "attribute": gettext_lazy("attribute"),
    "difficulty": gettext_lazy("difficulty"),
    "effect": gettext_lazy("effect"),
    "kind": gettext_lazy("roll type"),
    "other": gettext_lazy("other modifiers"),
    "pool": gettext_lazy("traits"),
    "position": gettext_lazy("position"),
    "resisting": gettext_lazy("answer to the consequence"),
    "threshold": gettext_lazy("threshold"),
    "versus": gettext_lazy("other side"),
}
"""The words for the fields of roll forms."""


def as_requested(ask: A, terms: Mapping[str, Any]) -> A:
    """Return the input with all that the GM has set. Raises Conflict at a field that differs."""
    for field, now in terms.items():
        check_seen(field, getattr(ask, field), now)
    return replace(ask, **terms)


def check_seen(field: str, seen: object, now: object) -> None:
    """Raise Conflict if the roller saw other terms than are requested now. Empty words are filled with the GM's."""
    if seen != "" and _compared(seen) != _compared(now):
        words = (
            _("The GM reset {field} to the default. Check it, then roll again.")
            if now is None
            else _("The GM now asks for {field} {value}. Check it, then roll again.")
        )
        message = words.format(field=WORDS.get(field, field.replace("_", " ")), value=_said(now))
        raise Conflict(message, field=field, current=now)


def named(**names: str) -> Terms:
    """Return those of the names that the GM has said. Raises Invalid for one of more than 120 characters."""
    said = {field: " ".join(name.split()) for field, name in names.items()}
    for field, name in said.items():
        if len(name) > LONGEST_NAME:
            raise Invalid(_("Use up to {count} characters.").format(count=LONGEST_NAME), field=field)
    return {field: name for field, name in said.items() if name}


def _said(value: object) -> object:
    """Codes as people write them."""
    return value.replace("_", " ") if isinstance(value, str) else value


def _compared(value: object) -> object:
    """Names are the same however they are written."""
    return fold(value.replace("_", " ")).split() if isinstance(value, str) else value


# The forms call typed faces so, since "dice" is how many there are; and what a score is typed into by what can be picked there.
FIELDS = {"dice": "faces", "ks": "stat", "es": "skill"}


@contextmanager
def by_the_rules(traits: str = "pool") -> Iterator[None]:
    """Raise a RuleError or a SheetError inside as Invalid, with its own message.

    `traits` is the form field for traits, used if a sheet lacks them.
    """
    try:
        yield
    except BlockedByState:
        raise
    except RuleError as error:
        raise Invalid(error.message, field=FIELDS.get(error.field, error.field)) from error
    except SheetError as error:
        raise Invalid(error.message, field=traits) from error


@contextmanager
def or_override(work: UnitOfWork, name: str, value: str) -> Iterator[None]:
    """Raise a BlockedByState inside as Blocked. A GM is offered to do it `anyway`, by sending this name and value as well."""
    try:
        yield
    except BlockedByState as error:
        raise Blocked(
            error.message, field=error.field or None, anyway=(name, value) if work.by.is_gm else None
        ) from error


def keep_hidden(character: Character | None, audience: Audience, *, field: str) -> None:
    """Raise Invalid if showing this to `audience` would betray a hidden NPC to players."""
    if character is not None and character.is_hidden and audience != Audience.GM:
        message = _("Players don’t know {name} yet. Roll for only the GM, or reveal {name} first.")
        raise Invalid(message.format(name=character.name), field=field)
