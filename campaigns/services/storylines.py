"""The storylines of a campaign.

Everyone sees their titles, their owners and whether they are open; the notes are the GM's.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Max
from django.utils.translation import gettext as _

from campaigns.errors import Invalid, existing
from campaigns.events import STORYLINE_CHANGED, STORYLINE_NOTED
from campaigns.models import Membership, Role, Storyline
from campaigns.models.log import Subject
from campaigns.models.members import GM
from campaigns.queries.play import row
from campaigns.services.compare_and_set import compare_and_set, version
from campaigns.services.log import UnitOfWork, service


def storyline_version(storyline: Storyline) -> str:
    """Return the `expected` of `change_storyline`."""
    return version(_written(storyline))


@service(Role.GM)
def add_storyline(
    work: UnitOfWork, title: str, *, whose: Membership | None = None, gm_notes: str = "", key: UUID
) -> Storyline:
    """Add an open storyline after all others. `whose` is None for the whole table's."""
    last = Storyline.objects.of(work.campaign).aggregate(last=Max("order"))["last"] or 0
    storyline = Storyline.objects.create(
        id=work.key,
        campaign=work.campaign,
        title=title,
        whose=_seated(work, whose),
        gm_notes=gm_notes,
        order=last + 1,
    )
    _tell(work, storyline, "made")
    if gm_notes:
        _note(work, storyline)
    return storyline


@service(Role.GM)
def change_storyline(
    work: UnitOfWork,
    storyline: Storyline,
    title: str,
    *,
    whose: Membership | None,
    gm_notes: str,
    expected: str,
    key: UUID,
) -> Storyline:
    """Change a storyline. `expected` is its version when the form was made; raises Conflict with its current values."""
    current = _found(work, storyline)
    compare_and_set(work.campaign, _subject_of(current), expected=expected, current=_written(current))
    before = row(current)
    noted = gm_notes != current.gm_notes
    # Former members may keep what was theirs, but get nothing new.
    current.whose = whose if whose and whose.pk == current.whose_id else _seated(work, whose)
    current.title, current.gm_notes = title, gm_notes
    current.save(update_fields=["title", "whose", "gm_notes"])
    if row(current) != before:
        _tell(work, current, "changed", before={"title": before["title"], "whose": before["whose"]})
    if noted:
        _note(work, current)
    return current


@service(Role.GM)
def resolve_storyline(work: UnitOfWork, storyline: Storyline, *, key: UUID) -> Storyline:
    """End a storyline. Ending it again changes nothing."""
    current = _found(work, storyline)
    if current.resolved_at is None:
        current.resolved_at = work.now
        current.save(update_fields=["resolved_at"])
        _tell(work, current, "resolved")
    return current


@service(Role.GM)
def reopen_storyline(work: UnitOfWork, storyline: Storyline, *, key: UUID) -> Storyline:
    """Undo `resolve_storyline`; nothing happens where it is open."""
    current = _found(work, storyline)
    if current.resolved_at is not None:
        current.resolved_at = None
        current.save(update_fields=["resolved_at"])
        _tell(work, current, "reopened")
    return current


@service(Role.GM)
def move_storyline(work: UnitOfWork, storyline: Storyline, *, up: bool, key: UUID) -> Storyline:
    """Change places with the open storyline before it (or after it); at the end of the list nothing happens."""
    current = _found(work, storyline)
    others = Storyline.objects.of(work.campaign).open().exclude(pk=current.pk)
    neighbour = others.filter(order__lt=current.order).last() if up else others.filter(order__gt=current.order).first()
    if neighbour:
        current.order, neighbour.order = neighbour.order, current.order
        for moved in (current, neighbour):
            moved.save(update_fields=["order"])
        _tell(work, current, "moved", also=neighbour)
    return current


def _found(work: UnitOfWork, storyline: Storyline) -> Storyline:
    """Return the storyline read again under the lock."""
    return existing(Storyline.objects.of(work.campaign).filter(pk=storyline.pk).first())


def _seated(work: UnitOfWork, whose: Membership | None) -> Membership | None:
    if whose and not Membership.objects.active().filter(campaign=work.campaign, pk=whose.pk).exists():
        raise Invalid(_("That person has left the campaign."), field="whose")
    return whose


def _written(storyline: Storyline) -> dict[str, Any]:
    return {"title": storyline.title, "whose": storyline.whose_id, "gm_notes": storyline.gm_notes}


def _subject_of(storyline: Storyline) -> Subject:
    return Subject(f"storyline:{storyline.pk}", storyline.title)


def _tell(work: UnitOfWork, storyline: Storyline, what: str, *, also: Storyline | None = None, **payload: Any) -> None:
    """Record a change of a storyline. `rows` are those to draw again; the first is the one meant."""
    rows = [row(storyline), *([row(also)] if also else [])]
    work.record(STORYLINE_CHANGED, {"what": what, "rows": rows, **payload}, subjects=[_subject_of(storyline)])


def _note(work: UnitOfWork, storyline: Storyline) -> None:
    """Record notes apart from the rest, in the GMs' stream: for players nothing has happened."""
    thing = {"id": str(storyline.pk), "title": storyline.title}
    payload = {"storyline": thing, "notes": storyline.gm_notes}
    work.record(STORYLINE_NOTED, payload, stream=GM, subjects=[_subject_of(storyline)])
