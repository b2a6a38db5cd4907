"""Check procedures against the log (campaigns/queries/standing.py)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.dispatch import receiver

from campaigns.models import Campaign, Event
from campaigns.models.members import GM
from campaigns.queries.standing import differences
from campaigns.signals import standing_asked
from rolls.events import PROCEDURE_CHANGED, PROCEDURE_CLOSED, PROCEDURE_OPENED
from rolls.models import Procedure
from rolls.queries.procedures import state_for
from rolls.registry import procedure_called
from rules.checked import restored, stored
from rules.procedures import DROPPED


class Procedures:
    """The procedures as last told to those who know least of them."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.told: dict[str, Event] = {}

    def take(self, event: Event) -> None:
        if event.kind not in (PROCEDURE_OPENED, PROCEDURE_CHANGED, PROCEDURE_CLOSED):
            return
        pk = event.payload["procedure"]["id"]
        before = self.told.get(pk)
        if before is None or before.stream.name == GM or event.stream.name != GM:
            self.told[pk] = event

    def faults(self) -> Iterator[str]:
        for procedure in Procedure.objects.filter(campaign=self.campaign).iterator():
            name = _name(procedure.pk)
            if (last := self.told.pop(str(procedure.pk), None)) is None:
                yield f"{name}: the log tells nothing of it."
                continue
            logged = last.payload["procedure"]
            here: dict[str, Any] = {"version": procedure.version, "system": procedure.system, "kind": procedure.kind}
            # Up to 0.2.0 one that was over and then dropped was told as changed.
            closed = last.kind == PROCEDURE_CLOSED or last.payload["act"]["name"] == DROPPED
            if rules := procedure_called(procedure.system, procedure.kind):
                # An older version may have told less of what it holds: both are read as they would be now.
                told = restored(rules.state, logged["state"])
                closed = closed or rules.is_over(told)
                if last.stored.erased_at is None:
                    state = stored(state_for(procedure, is_gm=last.stream.name == GM))
                    yield from differences(name, _without(state, rules.news), _without(stored(told), rules.news))
            if closed != (procedure.closed_at is not None):
                yield f"{name}: it is {'open' if closed else 'over'}, the log gives the other."
            yield from differences(name, here, logged)
        for pk in self.told:
            yield f"{_name(pk)}: the log tells of it, and it is not there."


def _name(pk: object) -> str:
    return f"Procedure {pk}"


def _without(state: dict[str, Any], news: tuple[str, ...] | frozenset[str]) -> dict[str, Any]:
    """Return a state without texts of a single step, which are not told again."""
    return {name: value for name, value in state.items() if name not in news}


@receiver(standing_asked)
def procedures(campaign: Campaign, **named: Any) -> Procedures:
    return Procedures(campaign)
