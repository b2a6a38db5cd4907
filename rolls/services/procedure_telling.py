"""Recording what happened to a procedure: to whom, and which part of it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from campaigns.kinds import EventKind
from campaigns.models import Membership
from campaigns.models.log import person
from campaigns.models.members import GM, TABLE
from campaigns.schema import texts
from campaigns.services.erasing import texts_at
from campaigns.services.log import UnitOfWork
from characters.services.sheet_writes import get_characters
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED, PROCEDURE_OPENED
from rolls.models import Audience, Procedure
from rolls.procedures import ProcedureKind
from rolls.queries.procedures import newest_steps, payload_of, procedure_payload
from rolls.queries.table import actors
from rolls.services.fairness import Thrown
from rolls.services.roll_making import RollOperation, witness_told
from rules import acting
from rules.acting import anyone
from rules.acts import Actor, Target
from rules.checked import stored
from rules.messages import Words, gettext, joined
from rules.messages import stored as stored_words
from rules.procedures import OPEN, REREAD, SCENE_ENDED, Button
from rules.table import Sheet, Table


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


def tell_procedure(
    work: UnitOfWork,
    procedure: Procedure,
    kind: EventKind,
    rules: ProcedureKind[Any],
    state: Any,
    step: Step,
    thrown: Thrown | None,
    *,
    is_news: bool,
) -> None:
    """Record an event about a procedure.

    If GMs know more than others, it is told twice under one uid, with `less` in the others' version; if only GMs learn
    something new (`changes_what_is_known`), only to them.
    """
    shown, steps = rules.shown(state), {} if kind is PROCEDURE_OPENED else newest_steps([procedure])
    tellings = [(procedure.stream, shown, step.before and rules.shown(step.before))]
    if procedure.stream == GM or not is_news:
        tellings = []
    if shown != state or not tellings:
        tellings.append((GM, state, step.before))
    for stream, known, before in tellings:
        there = [one for one in get_characters(work, rules.played(known)) if one.told_in(stream)]
        payload = {
            "procedure": payload_of(procedure, there, known, steps),
            "act": {"name": step.act, "whom": rules.party(before or known, step.target)[0] if step.target else ""},
            "words": _typed(rules, known, before, step),
            "overridden": step.override,
            "less": len(tellings) > 1 and stream != GM,
            **_done(work, step, thrown, procedure),
            **({"dropped": procedure.dropped} if kind is PROCEDURE_CLOSED else {}),
        }
        work.record(
            kind, payload, stream=stream, subjects=[one.subject for one in there], discriminator=str(procedure.pk)
        )


# Procedures that are `Played` (rolls/procedures.py): their events hold what is seen of them.


def cards_of(row: acting.Procedure, table: Table, members: Mapping[int, Actor]) -> dict[str, Any]:
    """Return what is to be seen of a procedure as it stands on this table, for everyone and for GMs where they see more."""
    buttons = [_button(offer, row.on_card) for offer in row.offers(table, members)]
    everyones, gms = (_card(row, there, buttons, members) for there in (table.seen(), table))
    return {"everyone": everyones} | ({"gm": gms} if gms != everyones else {})


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
            "members": [number for number, actor in members.items() if one.who and actor.plays(one.who)],
            "whom": one.key or one.who,
            "character": "" if one.name else one.who,
        }
        for one in (() if row.over else row.waits(table))
    ]
    drawn = {"over": row.over, "staged": row.card(table, buttons), "buttons": buttons, "waits": waits}
    drawn |= {"chip": row.chip(table)} if row.token else {}
    told: dict[str, Any] = stored_words(drawn)
    return told


def tell_played(
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
) -> None:
    """Store a procedure as it stands on this table, with what is seen of it, and record that with the `lines` that players and
    GMs read, the texts typed with the step and the dice that were `thrown` with it. If GMs know more than others, it is told
    twice under one uid, with `less` in the others' version."""
    opened, was_open, before = step.act == OPEN, procedure.closed_at is None, procedure.cards.get("everyone")
    procedure.state = row.model_dump(mode="json", exclude={"id"})
    procedure.cards = cards_of(row, table, actors(work.campaign))
    procedure.closed_at = work.now if procedure.dropped or row.over else None
    work.state(RollOperation).procedure_states.pop(procedure.pk, None)
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
    named = set(_strings(procedure.state))
    those = get_characters(work, (sheet.id for sheet in table.all(Sheet) if sheet.id in named))
    for stream in tellings:
        line = gms if stream == GM else players
        said = joined(" ", (line, aside)) if line and aside and stream == GM else line
        payload = {
            "procedure": procedure_payload(procedure, (), is_gm=stream == GM, steps=steps),
            "act": {"name": step.act, "whom": whom},
            "line": stored_words(said) if said else None,
            "words": list(typed),
            "overridden": step.override,
            "less": len(tellings) > 1 and stream != GM,
            **_done(work, step, thrown, procedure),
            **({"dropped": procedure.dropped} if kind is PROCEDURE_CLOSED else {}),
        }
        subjects = [one.subject for one in those if one.told_in(stream)]
        work.record(kind, payload, stream=stream, subjects=subjects, discriminator=str(procedure.pk))


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


def changes_what_is_known(procedure: Procedure, rules: ProcedureKind[Any], state: Any, step: Step) -> bool:
    """Return whether the procedure's audience sees a change. An automatic step that leaves their view unchanged is not
    told to them: that it happened would betray a secret.
    """
    if step.act not in BY_ITSELF:
        return True
    known: Callable[[Any], Any] = (lambda whole: whole) if procedure.stream == GM else rules.shown
    return bool(known(state) != known(step.before))


def with_last_news(rules: ProcedureKind[Any], state: Any, step: Step) -> Any:
    """Return the state; if an automatic change left everything that all may know as it was, with the last step's news."""
    last = replace(state, **{name: getattr(step.before, name) for name in rules.news})
    return last if rules.shown(last) == rules.shown(step.before) else state


def _typed(rules: ProcedureKind[Any], known: Any, before: Any, step: Step) -> list[str]:
    """Return the texts typed with this step, those new in the state, so that erasing finds them by who acted."""
    if before is None and step.act != OPEN:
        return []
    paths = [tuple(path.split(".")) for path in texts(rules.state)]
    held = set() if before is None else {text for path in paths for text in texts_at(stored(before), path)}
    new = (text for path in paths for text in texts_at(stored(known), path))
    return [text for text in dict.fromkeys(new) if text not in held]


def audience_of(procedure: Procedure) -> Audience:
    """Return the audience of a procedure's dice."""
    return {TABLE: Audience.TABLE, GM: Audience.GM}.get(procedure.stream, Audience.SELF)


def _done(work: UnitOfWork, step: Step, thrown: Thrown | None, procedure: Procedure) -> dict[str, Any]:
    """Return whom a GM acted for, and the dice that fell with the step."""
    return {
        "instead_of": person(step.instead_of) if step.instead_of else None,
        "dice": [{"face": face} for face in thrown.read] if thrown else [],
        "proof": thrown.proof if thrown else None,
        "witness": witness_told(thrown.proof, audience_of(procedure), work.by) if thrown else None,
    }
