"""Whether what somebody pressed can still be done, and what they are told where it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaigns.errors import Conflict, Forbidden
from campaigns.models import Event, Membership
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED
from rolls.models import Procedure
from rolls.procedures import ProcedureKind
from rolls.rules.acts import ActKey, Actor, AvailableAct, Target

HERE = "Here’s where it stands now."
FIRST = f"Someone else acted first. {HERE}"
NOT_NOW = f"That can’t be done now. {HERE}"
CHANGED = "This changed before you pressed it. Check what it says now, then choose again."
OVER = "This is over."
LATEST = 60
"""Among how many of the newest events one looks for what became of an offer: it was there when the page was drawn."""


def offered(
    procedure: Procedure,
    rules: ProcedureKind[Any],
    state: Any,
    who: Actor,
    wanted: ActKey,
    *,
    by: Membership,
) -> AvailableAct:
    """The offer as it stands in this state for whoever acts. Raises Forbidden where it stands for others, and Conflict where it
    stands no more, or where its terms are others than those that `wanted` has the mark of (None: whatever they are)."""
    found = rules.find(state, who, wanted)
    if found is None:
        if why := rules.why_not(state, who, wanted):
            raise Conflict(why)
        everybody = Actor(characters=frozenset(rules.played(state)))
        for other in (Actor(is_gm=True), everybody):
            if theirs := rules.find(state, other, wanted):
                raise Forbidden(_whose(rules, state, theirs.target))
        raise Conflict(_became(procedure, wanted, rules, state, by) or NOT_NOW)
    if wanted.mark is not None and wanted.mark != found.mark:
        raise Conflict(_became(procedure, wanted, rules, state, by) or CHANGED)
    return found


def is_over(procedure: Procedure) -> str:
    """What is said to somebody who acts in a procedure that has ended: with what it ended."""
    last = next(_told(procedure), None)
    said = last.described["said"] if last else ""
    return f"{OVER} {last.payload['by']['name']} {said}." if last and said else OVER


def _whose(rules: ProcedureKind[Any], state: Any, target: Target) -> str:
    name, character = rules.party(state, target) if target else ("", None)
    return f"Only the GM or whoever plays {name} can do that." if character else "Only the GM can do that."


def _became(procedure: Procedure, wanted: ActKey, rules: ProcedureKind[Any], state: Any, by: Membership) -> str:
    """Who has done it in the newest operation, or what somebody else has done instead; "" where it was neither."""
    whom, newest, other = rules.party(state, wanted.parts)[0] if wanted.parts else "", None, ""
    for event in _told(procedure):
        newest = newest or event.at
        if event.at != newest:
            break
        act, said, own = event.payload["act"], event.described["said"], event.actor_id == by.pk
        if said and (act["name"], act["whom"]) == (wanted.name, whom):
            who = "You’ve" if own else f"{event.payload['by']['name']} has"
            return f"{who} already settled this: {said}."
        other = other or (f"{event.payload['by']['name']} acted first: {said}. {HERE}" if said and not own else "")
    return other


def _told(procedure: Procedure) -> Iterator[Event]:
    """What was told of it, the newest first."""
    kinds = (PROCEDURE_CHANGED, PROCEDURE_CLOSED)
    there = Event.objects.filter(campaign=procedure.campaign_id, stream__name=procedure.stream, kind__in=kinds)
    newest = there.select_related("stored").order_by("-seq")[:LATEST]
    return (one for one in newest if one.is_readable and one.payload["procedure"]["id"] == str(procedure.pk))
