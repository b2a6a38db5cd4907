"""The open procedures of a table page: the same dicts as in events, so that live equals reload."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any
from uuid import UUID

from django.db import models
from django.db.models import QuerySet
from django.dispatch import receiver
from django.utils.translation import gettext_lazy

from campaigns.errors import NotFound
from campaigns.kinds import endings_asked
from campaigns.models import Campaign, Membership, Role, Viewer
from campaigns.models.log import person
from campaigns.models.members import TABLE
from campaigns.queries.play import ClosingAction, ExpiringItem
from characters.models import Character
from database.compiled import Parameter, compiled
from rolls.events import Seen
from rolls.models import Audience, Procedure, ProcedureStep
from rolls.queries.requests import open_requests
from rolls.queries.table import standing_of, under_way
from rolls.registry import RULESETS, procedure_called, procedures_of, rules_of
from rules.acts import Actor
from rules.checked import restored
from rules.procedures import OPEN, Button


def open_procedures(viewer: Viewer) -> list[Mapping[str, Any]]:
    """Return all open procedures at this table that this viewer may see."""
    return described_open(viewer, open_to(viewer))


def described_open(viewer: Viewer, found: Sequence[Procedure]) -> list[Mapping[str, Any]]:
    """Return these open procedures, described for the viewer."""
    steps, is_gm = newest_steps(found), viewer.is_gm
    return [Seen(procedure_payload(one, is_gm=is_gm, steps=steps), one.card_for(is_gm=is_gm)) for one in found]


def procedure_of(campaign: Campaign, id: UUID) -> Procedure | None:
    """Return a procedure of a campaign, which may be over."""
    return _procedure.first(campaign=campaign.pk, id=id)


@compiled(campaign=models.UUIDField(), id=models.UUIDField())
def _procedure(campaign: Parameter, id: Parameter) -> QuerySet[Procedure]:
    return Procedure.objects.filter(campaign=campaign, pk=id).select_related("opened_by__user")


def open_to(viewer: Viewer) -> list[Procedure]:
    """Return the open procedures that this viewer sees. They are read once for a page."""
    return viewer.once(_open_to)


def _open_to(viewer: Viewer) -> list[Procedure]:
    return [procedure for procedure in under_way(viewer.campaign) if is_told(procedure, viewer)]


def procedure_for(viewer: Viewer, id: UUID) -> Procedure:
    """Return a procedure that this viewer may see, which may be over. Raises NotFound."""
    found = procedure_of(viewer.campaign, id)
    if found is None or not is_told(found, viewer):
        raise NotFound
    return found


def is_told(procedure: Procedure, viewer: Viewer) -> bool:
    """Return whether a viewer of its campaign sees the procedure: GMs see all, others those of the table and their own."""
    return viewer.streams is None or procedure.stream in viewer.streams


def actor_of(member: Membership) -> Actor:
    """Return a member as the Actor whom procedures' rules ask about."""
    own = () if member.is_gm else Character.objects.controlled_by(member).values_list("pk", flat=True)
    return Actor(is_gm=member.is_gm, characters=frozenset(map(str, own)))


def openers(viewer: Viewer, systems: Sequence[str]) -> list[dict[str, Any]]:
    """Return what this viewer may open by these systems' rules, by game: [{game, kinds: [{system, kind, label}]}]."""
    there = [
        {"system": system, "kind": kind, "label": rules.label}
        for system, kind, rules in procedures_of(systems)
        if OPEN in rules.forms and viewer.role.at_least(rules.opened_by)
    ]
    by_system = groupby(there, key=itemgetter("system"))
    return [{"game": RULESETS[system].short, "kinds": list(kinds)} for system, kinds in by_system]


def opened_with(system: str, role: Role, *, own: bool) -> list[dict[str, Any]]:
    """Return what this role may open by pressing a character of this system: [{kind, label, field, at_once}]. It is opened
    against them, or for them where they are the reader's `own`."""
    there = ((kind, rules, rules.forms.get(OPEN)) for _, kind, rules in procedures_of([system]))
    found = (
        (kind, rules, form.against_field or (own and form.own_field), form.at_once)
        for kind, rules, form in there
        if form and role.at_least(rules.opened_by)
    )
    return [
        {"kind": kind, "label": rules.label, "field": field, "at_once": at_once}
        for kind, rules, field, at_once in found
        if field
    ]


def newest_steps(procedures: Sequence[Procedure]) -> dict[UUID, UUID]:
    """Return the step that would be undone first, for procedures that have one."""
    there = ProcedureStep.objects.filter(procedure__in=procedures).select_related("roll__request").order_by("pk")
    newest = {step.procedure_id: step for step in there} if procedures else {}
    return {procedure: step.uid for procedure, step in newest.items() if not step.opens}


def procedure_payload(procedure: Procedure, *, is_gm: bool, steps: Mapping[UUID, UUID] | None = None) -> dict[str, Any]:
    """Return a procedure's payload for GMs or for everyone: `card` names what they see of it, and `step` is its own of the newest
    `steps`, read here if not given. `players` and `state` are what events of 0.2 told."""
    step = (newest_steps([procedure]) if steps is None else steps).get(procedure.pk)
    return {
        "id": str(procedure.pk),
        "system": procedure.system,
        "kind": procedure.kind,
        "reason": procedure.reason,
        "version": procedure.version,
        "order": int(procedure.opened_at.timestamp() * 1000),
        "opened_by": person(procedure.opened_by),
        "step": str(step) if step else None,
        "players": [],
        "state": {},
        "card": procedure.card_digest(is_gm=is_gm),
    }


# What is still open before a GM closes a scene or ends the session, for the list shown then (campaigns/queries/play.py).


ENDS, CHANGES, GOES_ON = "ends", "changes", "goes_on"
"""What happens to a procedure: it ends, changes, or goes on."""

WORDS = {
    ENDS: gettext_lazy("ends with the scene"),
    CHANGES: gettext_lazy("loses what wasn’t chosen"),
    GOES_ON: gettext_lazy("continues afterwards"),
}


@receiver(endings_asked)
def open_procedures_of_scene(viewer: Viewer, closes: ClosingAction, **named: Any) -> list[ExpiringItem]:
    """Return the tokens that vanish and all other open procedures, with what becomes of them and what every player may
    do: {procedure, becomes, buttons}.
    """
    found = {one.pk: becomes for one in open_to(viewer) if (becomes := _becomes(one))}
    there = [one for one in open_to(viewer) if one.pk in found]
    drawn = described_open(viewer, there) if there else []
    return [
        ExpiringItem(
            "rolls/_ending.html",
            {"procedure": told, "becomes": WORDS[found[one.pk]], "buttons": _anybodys(told)},
            key=f"{one.pk} {found[one.pk]}",
            private=one.stream != TABLE,
        )
        for one, told in zip(there, drawn, strict=True)
    ]


@receiver(endings_asked)
def requests_of_session(viewer: Viewer, closes: ClosingAction, **named: Any) -> list[ExpiringItem]:
    """Return requested rolls that nobody has made, listed before a session ends. Those of procedures are listed with these."""
    if closes is not ClosingAction.SESSION:
        return []
    return [
        ExpiringItem(
            "rolls/_ending_request.html", {"asked": one}, key=one["id"], private=one["audience"] != Audience.TABLE
        )
        for one in open_requests(viewer)
        if not one["procedure"]
    ]


@receiver(endings_asked)
def endings_of_rules(viewer: Viewer, closes: ClosingAction, **named: Any) -> list[ExpiringItem]:
    return [ending for rules in rules_of(viewer.campaign) for ending in rules.endings(viewer, closes)]


def _becomes(procedure: Procedure) -> str:
    """Return the code for what becomes of a procedure; "" for a token that stays."""
    rules = procedure_called(procedure.system, procedure.kind)
    if rules is None:
        return ""
    standing = standing_of(procedure, rules, is_gm=True)
    table = standing.table.trial()
    row = table.get(rules.rows, standing.row.id)
    row.scene_ended(table)
    if row.over:
        return ENDS
    if row.token:
        return CHANGES if row.model_dump() != standing.row.model_dump() else ""
    return GOES_ON if [*row.waits(table)] == [*standing.row.waits(standing.table)] else CHANGES


def _anybodys(procedure: Mapping[str, Any]) -> list[Button]:
    buttons = (one if isinstance(one, Button) else restored(Button, one) for one in procedure.get("buttons", ()))
    return [button for button in buttons if button.open_to_all and button.form]
