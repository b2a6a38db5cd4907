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
from rolls.rules.checked import restored, stored


class Procedures:
    """The procedures as last told to those who know least of them."""

    def __init__(self, campaign: Campaign) -> None:
        self.campaign = campaign
        self.told: dict[str, tuple[bool, bool, dict[str, Any], bool]] = {}

    def take(self, event: Event) -> None:
        if event.kind not in (PROCEDURE_OPENED, PROCEDURE_CHANGED, PROCEDURE_CLOSED):
            return
        procedure, for_gm = event.payload["procedure"], event.stream.name == GM
        before = self.told.get(procedure["id"])
        if before is None or before[0] or not for_gm:
            self.told[procedure["id"]] = (
                for_gm,
                event.kind == PROCEDURE_CLOSED,
                procedure,
                event.stored.erased_at is not None,
            )

    def faults(self) -> Iterator[str]:
        for procedure in Procedure.objects.filter(campaign=self.campaign).iterator():
            name = _name(procedure.pk)
            if (last := self.told.pop(str(procedure.pk), None)) is None:
                yield f"{name}: the log tells nothing of it."
                continue
            for_gm, closed, logged, erased = last
            if closed != (procedure.closed_at is not None):
                yield f"{name}: it is {'open' if closed else 'over'}, the log gives the other."
            here: dict[str, Any] = {"version": procedure.version, "system": procedure.system, "kind": procedure.kind}
            rules = procedure_called(procedure.system, procedure.kind)
            if rules and not erased:
                state = stored(state_for(procedure, is_gm=for_gm))
                # An older version may have told less of what it holds: both are read as they would be now.
                told = stored(restored(rules.state, logged["state"]))
                yield from differences(name, _without(state, rules.news), _without(told, rules.news))
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
