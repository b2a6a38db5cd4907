"""What a table page shows of procedures that are under way: the same dicts that events carry, so that live equals reload."""

from __future__ import annotations

from typing import Any

from campaigns.models import Viewer
from campaigns.references import person
from characters.models import Character
from rolls.models import Procedure
from rolls.procedure_events import described_procedure
from rolls.registry import procedure_called, procedures_of
from rolls.rules.states import restored


def open_procedures(viewer: Viewer) -> list[dict[str, Any]]:
    """All that are under way at this table: nothing in them is for few."""
    found = Procedure.objects.filter(campaign=viewer.campaign, closed_at=None).select_related("opened_by__user")
    return [described_procedure(procedure_payload(procedure)) for procedure in found]


def openers(viewer: Viewer) -> list[dict[str, str]]:
    """What this viewer may open, by the rules of the campaign: {system, kind, label}."""
    kinds = procedures_of(viewer.campaign.systems)
    return [
        {"system": system, "kind": kind, "label": rules.label}
        for system, kind, rules in kinds
        if viewer.role.at_least(rules.opened_by)
    ]


def procedure_payload(procedure: Procedure) -> dict[str, Any]:
    """A procedure as it is told: `players` are those at the table who may act for the characters in it."""
    return {
        "id": str(procedure.pk),
        "system": procedure.system,
        "kind": procedure.kind,
        "reason": procedure.reason,
        "version": procedure.version,
        "order": int(procedure.opened_at.timestamp() * 1000),
        "opened_by": person(procedure.opened_by),
        "players": _players(procedure),
        "state": procedure.state,
    }


def _players(procedure: Procedure) -> list[dict[str, Any]]:
    rules = procedure_called(procedure.system, procedure.kind)
    played = rules.played(restored(rules.state, procedure.state)) if rules else ()
    found = Character.objects.active().filter(campaign=procedure.campaign_id, pk__in=played).with_related()
    here = [(one, [member for member in one.players if member.left_at is None]) for one in found]
    return [
        {"character": str(one.pk), "members": [person(member) for member in members]}
        for one, members in here
        if members
    ]
