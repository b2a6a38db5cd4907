"""Write a GM's draft of a clock into its row, with all validation, and return where it then stands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Max
from django.utils.translation import gettext as _

from campaigns import clocks as rules
from campaigns.errors import Invalid, existing
from campaigns.events import CLOCK_TEMPLATE_CHANGED
from campaigns.models import Clock, ClockKind, ClockOwner, ClockTemplate, ClockVisibility, Membership, Role
from campaigns.models.log import Subject
from campaigns.models.members import GM
from campaigns.queries.clocks import Owners
from campaigns.services.compare_and_set import version
from campaigns.services.log import UnitOfWork, service
from languages.text import gettext_lazy

STEP = 1000
"""Shown clocks have multiples of it as positions, hidden ones numbers in between, so that gaps in players' numbers do
not reveal them.
"""

NOBODY = gettext_lazy("Choose someone who’s in this campaign now.")


@dataclass(frozen=True)
class Draft:
    """A clock as a GM writes it. `owner` is "gm", "crew", "member:<id>" or the key of a campaigns.queries.clocks.Owner.

    `after` is the clock that opens this one: a linked clock needs it, no other kind has it.
    """

    name: str
    segments: int
    kind: ClockKind = ClockKind.PROGRESS
    visibility: ClockVisibility = ClockVisibility.VISIBLE
    owner: str = ClockOwner.GM.value
    after: Clock | None = None


@dataclass(frozen=True)
class Rival:
    """The other clock of a racing pair; all else is as in the first."""

    name: str
    segments: int


def owner_key(clock: Clock) -> str:
    """Return the `owner` of a Draft that says what the clock says."""
    if clock.owner == ClockOwner.PLAYER:
        return f"member:{clock.owner_member_id}"
    return clock.owner_subject or clock.owner


def clock_version(clock: Clock) -> str:
    """Return the `expected` of `change_clock`."""
    return version(written(clock))


def as_rules(clock: Clock) -> rules.Clock:
    """Return the clock for the rules. Raises Invalid for impossible values."""
    return rules.Clock(ClockKind(clock.kind), clock.segments, clock.filled)


def written(clock: Clock) -> dict[str, Any]:
    """Return a clock's editable fields, in JSON's own types."""
    return {
        "name": clock.name,
        "segments": clock.segments,
        "kind": clock.kind,
        "visibility": clock.visibility,
        "owner": owner_key(clock),
        "after": str(clock.after_id) if clock.after_id else None,
    }


def write(work: UnitOfWork, clock: Clock, draft: Draft, owners: Owners) -> None:
    """Put a draft on a clock, which is not saved yet. Raises Invalid for what cannot be."""
    clock.name, clock.kind, clock.segments, clock.visibility = draft.name, draft.kind, draft.segments, draft.visibility
    as_rules(clock)  # refuses invalid clocks
    _follow(work, clock, draft)
    _own(work, clock, draft.owner, owners)


def _follow(work: UnitOfWork, clock: Clock, draft: Draft) -> None:
    """Wait for the clock before, unless that is full already."""
    if (draft.kind == ClockKind.LINKED) != (draft.after is not None):
        missing, extra = _("Choose the clock that opens it."), _("Only a linked clock can be opened by another.")
        raise Invalid(missing if draft.after is None else extra, field="after")
    if draft.after is None or draft.after.pk == clock.after_id:
        clock.opened = clock.opened or draft.after is None
        clock.after = clock.after if draft.after else None
        return
    after = Clock.objects.running().filter(campaign=work.campaign, pk=draft.after.pk).first()
    if after is None:
        raise Invalid(_("That clock is no longer on the table. Choose another."), field="after")
    earlier: Clock | None = after
    while earlier:
        if earlier.pk == clock.pk:
            raise Invalid(_("These clocks would wait for each other forever. Choose another."), field="after")
        earlier = earlier.after
    clock.after, clock.opened = after, after.is_full


def _own(work: UnitOfWork, clock: Clock, key: str, owners: Owners) -> None:
    if key != owner_key(clock):
        _give(work, clock, key, owners)
    owner = owners.get(clock.owner_subject)
    if owner and not owner.shown and clock.shown:
        message = _("Players don’t know about {name}. Make the clock secret, or choose another owner.")
        raise Invalid(message.format(name=owner.name), field="owner")


def _give(work: UnitOfWork, clock: Clock, key: str, owners: Owners) -> None:
    what, __, pk = key.partition(":")
    clock.owner_member, clock.owner_subject, clock.owner_name = None, "", ""
    if key in (ClockOwner.GM, ClockOwner.CREW):
        clock.owner = key
    elif what == "member":
        member = Membership.objects.active().select_related("user").filter(campaign=work.campaign, pk=int(pk)).first()
        if member is None:
            raise Invalid(NOBODY, field="owner")
        clock.owner, clock.owner_member, clock.owner_name = ClockOwner.PLAYER, member, member.name
    else:
        owner = owners.get(key)
        if owner is None or not owner.active:
            raise Invalid(NOBODY, field="owner")
        clock.owner, clock.owner_subject, clock.owner_name = ClockOwner.CHARACTER, owner.key, owner.name


def place(clock: Clock) -> int:
    """Return the number that puts a clock after those that players see or, if it is not shown, after all."""
    others = Clock.objects.running().filter(campaign=clock.campaign).exclude(pk=clock.pk)
    if clock.shown:
        last = others.shown().aggregate(last=Max("order"))["last"] or 0
        return (last // STEP + 1) * STEP
    return (others.aggregate(last=Max("order"))["last"] or 0) + 1


@service(Role.GM)
def keep_template(work: UnitOfWork, clock: Clock, *, key: UUID) -> ClockTemplate:
    """Keep a clock's name, kind, size and visibility, and of a racing pair both clocks; not its ticks, nor whose it is."""
    current = existing(Clock.objects.with_related().filter(campaign=work.campaign, pk=clock.pk).first())
    template = ClockTemplate.objects.create(
        id=work.key,
        campaign=work.campaign,
        name=current.name,
        kind=current.kind,
        segments=current.segments,
        visibility=current.visibility,
        rival_name=current.rival.name if current.rival else "",
        rival_segments=current.rival.segments if current.rival else None,
    )
    _tell(work, template, gone=False)
    return template


@service(Role.GM)
def drop_template(work: UnitOfWork, template_id: UUID, *, key: UUID) -> None:
    """Keep it no longer. Clocks made from it stay as they are."""
    current = existing(ClockTemplate.objects.filter(campaign=work.campaign, pk=template_id).first())
    _tell(work, current, gone=True)
    current.delete()


def _tell(work: UnitOfWork, template: ClockTemplate, *, gone: bool) -> None:
    payload: dict[str, Any] = {
        "id": str(template.pk),
        "name": template.name,
        "kind": template.kind,
        "segments": template.segments,
        "visibility": template.visibility,
        "rival": {"name": template.rival_name, "segments": template.rival_segments} if template.rival_name else None,
    }
    subjects = [Subject(f"clock-template:{template.pk}", template.name)]
    work.record(CLOCK_TEMPLATE_CHANGED, {"template": payload, "gone": gone}, stream=GM, subjects=subjects)
