"""Recording what happened to a procedure: to whom, and which part of it."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, cast
from uuid import UUID

from django.utils.functional import SimpleLazyObject

from campaigns.models import Membership
from campaigns.models.log import person
from campaigns.models.members import GM, TABLE
from campaigns.services.log import UnitOfWork
from characters.models import Character
from characters.services.sheet_writes import get_characters
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED, PROCEDURE_OPENED
from rolls.models import Audience, Procedure
from rolls.queries.procedures import newest_steps, procedure_payload
from rolls.queries.table import actors
from rolls.services.fairness import Thrown
from rolls.services.roll_making import RollOperation, witness_told
from rules import acting
from rules.acting import anyone
from rules.acts import Actor, Target
from rules.messages import Words, gettext, joined
from rules.messages import stored as stored_words
from rules.procedures import OPEN, REREAD, SCENE_ENDED, Button
from rules.table import A_GM, Sheet, Table


@dataclass(frozen=True, kw_only=True)
class Step:
    """The data of a change: the act, its target, the state `before` it, and the member for whom a GM acted. `key` is what a GM
    sends as "override" to allow what forbids it.
    """

    act: str
    target: Target = ()
    before: Any = None
    instead_of: Membership | None = None
    client_seed: str = ""
    override: bool = False
    key: str = "1"


def cards_of(row: acting.Procedure, table: Table, members: Mapping[int, Actor]) -> dict[str, Any]:
    """Return what is to be seen of a procedure as it stands on this table, for everyone and for GMs where they see more."""
    buttons = [_button(offer, row.on_card) for offer in row.offers(table, members)]
    everyones, gms = (_card(row, there, buttons, members) for there in (table.seen(), table))
    return {"everyone": everyones} | ({"gm": gms} if gms != everyones else {})


def actors_in(work: UnitOfWork) -> Mapping[int, Actor]:
    """Return the players with the characters that they act for: read once in an operation, where the first act asks for them."""
    operation = work.state(RollOperation)
    if operation.actors is None:
        operation.actors = cast("Mapping[int, Actor]", SimpleLazyObject(partial(actors, work.campaign)))
    return operation.actors


def actor_in(work: UnitOfWork) -> Actor:
    """Return who acts as procedures' rules ask about them, read with all others."""
    if work.by.is_gm:
        return A_GM
    return cast("Actor", SimpleLazyObject(lambda: actors_in(work).get(work.by.number, Actor())))


def _button(offer: acting.Offer, on_card: Container[str]) -> Button:
    available = offer.available
    return Button(
        name=available.name,
        target=available.target,
        sent=str(available.key),
        words=offer.words,
        form=bool(offer.act.asks),
        members=offer.members,
        open_to_all=offer.act.by is anyone,
        primary=offer.primary,
        on_card=offer.act.name in on_card,
    )


def _card(
    standing: acting.Procedure, table: Table, buttons: Sequence[Button], members: Mapping[int, Actor]
) -> dict[str, Any] | None:
    """Return what is to be seen on this table; None where the procedure is not known there."""
    if (row := table.find(type(standing), standing.id)) is None:
        return None
    waits = [
        {
            "name": one.name or row.party(table, one.who)[0] or gettext("the GM"),
            "words": one.words,
            "own": one.own,
            "members": [number for number, actor in members.items() if actor.plays(one.who)] if one.who else [],
            "whom": one.key or one.who,
            "character": "" if one.name else one.who,
        }
        for one in (() if row.over else row.waits(table))
    ]
    drawn = {"over": row.over, "staged": row.card(table, buttons), "buttons": buttons, "waits": waits}
    drawn |= {"chip": row.chip_words(table)} if row.token else {}
    told: dict[str, Any] = stored_words(drawn)
    return told


def tell_procedure(
    work: UnitOfWork,
    procedure: Procedure,
    row: acting.Procedure,
    table: Table,
    step: Step,
    *,
    lines: Sequence[Words] = ("", ""),
    typed: Sequence[str] = (),
    whom: str = "",
    thrown: Thrown | None = None,
) -> UUID | None:
    """Store a procedure as it stands on this table, with what is seen of it, and record that with the `lines` that players and
    GMs read, the texts typed with the step and the dice that were `thrown` with it. If GMs know more than others, it is told
    twice under one uid, with `less` in the others' version. Return the uid of the line, if there is one."""
    opened, was_open, before = step.act == OPEN, procedure.closed_at is None, procedure.cards.get("everyone")
    procedure.state = row.model_dump(mode="json", exclude={"id"})
    procedure.cards = cards_of(row, table, actors_in(work))
    procedure.closed_at = work.now if procedure.dropped or row.over else None
    if procedure.closed_at and was_open:
        work.state(RollOperation).ended.append(procedure)
    kind = PROCEDURE_OPENED if opened else PROCEDURE_CLOSED if procedure.closed_at else PROCEDURE_CHANGED
    shown, whole = (procedure.card_for(is_gm=is_gm) for is_gm in (False, True))
    is_news = procedure.stream != GM and (step.act not in BY_ITSELF or shown != before)
    procedure.version += is_news and not opened
    procedure.save(force_insert=opened)
    steps = {} if opened else newest_steps([procedure])
    tellings = [procedure.stream] if is_news else []
    aside, (players, gms) = row.aside(table), lines
    if shown != whole or aside or players != gms or not tellings:
        tellings.append(GM)
    those = _characters_in(work, procedure, table)
    for stream in tellings:
        line = gms if stream == GM else players
        said = joined(" ", (line, aside)) if line and aside and stream == GM else line
        payload = {
            "procedure": procedure_payload(procedure, is_gm=stream == GM, steps=steps),
            "act": {"name": step.act, "whom": whom},
            "line": stored_words(said) if said else None,
            "words": list(typed),
            "overridden": step.override,
            "less": len(tellings) > 1 and stream != GM,
            **_done(work, step, thrown, procedure),
            **({"dropped": procedure.dropped} if kind is PROCEDURE_CLOSED else {}),
        }
        subjects = [one.subject for one in those if one.told_in(stream)]
        event = work.record(
            kind, payload, stream=stream, subjects=subjects, discriminator=str(procedure.pk), card=procedure.pk
        )
    return event.uid if said else None


def _characters_in(work: UnitOfWork, procedure: Procedure, table: Table) -> Sequence[Character]:
    named = set(_strings(procedure.state))
    return get_characters(work, (sheet.id for sheet in table.all(Sheet) if sheet.id in named))


def _strings(value: Any) -> Iterator[str]:
    """Yield all texts in what is stored, keys among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from value
        yield from _strings([*value.values()])
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)


BY_ITSELF: Final = frozenset({REREAD, SCENE_ENDED})
"""Changes of a procedure that nobody makes by an act."""


def audience_of(procedure: Procedure) -> Audience:
    """Return the audience of a procedure's dice."""
    return audience_in(procedure.stream)


def audience_in(stream: str) -> Audience:
    """Return the audience of dice that are told in a stream."""
    return {TABLE: Audience.TABLE, GM: Audience.GM}.get(stream, Audience.SELF)


def _done(work: UnitOfWork, step: Step, thrown: Thrown | None, procedure: Procedure) -> dict[str, Any]:
    """Return whom a GM acted for, and the dice that fell with the step."""
    return {
        "instead_of": person(step.instead_of) if step.instead_of else None,
        "dice": [{"face": face} for face in thrown.read] if thrown else [],
        "proof": thrown.proof if thrown else None,
        "witness": witness_told(thrown.proof, audience_of(procedure), work.by) if thrown else None,
    }
