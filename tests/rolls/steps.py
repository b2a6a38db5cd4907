"""How a procedure is acted in by hand: the step that a GM would take back, and what the button of an offer sends."""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID

from rolls.models import Procedure
from rolls.procedures import ProcedureRules
from rolls.queries.procedures import newest_steps
from rolls.registry import procedure_called
from rolls.rules.procedures import ANYWAY, Actor, AvailableAct
from rolls.rules.states import restored


def newest_step(procedure: Procedure) -> UUID | None:
    return newest_steps([procedure]).get(procedure.pk)


def offers(procedure: Procedure) -> Iterable[AvailableAct]:
    """All that anybody is offered now."""
    now = Procedure.objects.get(pk=procedure.pk)
    rules: ProcedureRules | None = procedure_called(now.system, now.kind)
    if rules is None:
        return
    state = restored(rules.state, now.state)
    for who in (Actor(is_gm=True), Actor(characters=frozenset(rules.played(state)))):
        yield from rules.may(state, who)


def pressed(procedure: Procedure, act: str) -> str:
    """What is sent for "ready:a" by whoever sees the procedure as it is now; as it stands where that is not offered."""
    plain = act.removesuffix(ANYWAY)
    name, _, whom = plain.partition(":")
    sent = next((one.sent for one in offers(procedure) if one == AvailableAct(name, whom)), plain)
    return sent + act[len(plain) :]


def mark(procedure: Procedure, act: str) -> str:
    """Of what is seen now."""
    return pressed(procedure, act).partition("~")[2]
