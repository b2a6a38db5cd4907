"""The threads that run through a story.

Everybody sees their titles, whose they are and whether they are open; the notes are the GM's.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import Max

from campaigns.errors import Invalid, Missing
from campaigns.events import STORYLINE_CHANGED, STORYLINE_NOTED
from campaigns.facts import About
from campaigns.models import Membership, Role, Storyline
from campaigns.models.streams import GM
from campaigns.queries.storylines import row
from campaigns.services.edits import based_on, version
from campaigns.services.log import Table, at_table


def storyline_version(storyline: Storyline) -> str:
    """For the `seen` of `change_storyline`."""
    return version(_written(storyline))


@at_table(Role.GM)
def add_storyline(
    table: Table, title: str, *, whose: Membership | None = None, gm_notes: str = "", key: UUID
) -> Storyline:
    """A new open storyline, after all others. `whose` is None for everybody's."""
    last = Storyline.objects.of(table.campaign).aggregate(last=Max("order"))["last"] or 0
    storyline = Storyline.objects.create(
        id=table.key,
        campaign=table.campaign,
        title=title,
        whose=_seated(table, whose),
        gm_notes=gm_notes,
        order=last + 1,
    )
    _tell(table, storyline, "made")
    if gm_notes:
        _note(table, storyline)
    return storyline


@at_table(Role.GM)
def change_storyline(
    table: Table,
    storyline: Storyline,
    title: str,
    *,
    whose: Membership | None,
    gm_notes: str,
    seen: str,
    key: UUID,
) -> Storyline:
    """Write a storyline anew. `seen` is its version when the form was made; raises Stale with what it says now."""
    found = _found(table, storyline)
    based_on(table.campaign, _about(found), seen=seen, current=_written(found))
    before = row(found)
    noted = gm_notes != found.gm_notes
    # One who has left may keep what was theirs, but nothing new is given to them.
    found.whose = whose if whose and whose.pk == found.whose_id else _seated(table, whose)
    found.title, found.gm_notes = title, gm_notes
    found.save(update_fields=["title", "whose", "gm_notes"])
    if row(found) != before:
        _tell(table, found, "changed", before={"title": before["title"], "whose": before["whose"]})
    if noted:
        _note(table, found)
    return found


@at_table(Role.GM)
def resolve_storyline(table: Table, storyline: Storyline, *, key: UUID) -> Storyline:
    """It has come to its end. Doing it twice is doing it once."""
    found = _found(table, storyline)
    if found.resolved_at is None:
        found.resolved_at = table.now
        found.save(update_fields=["resolved_at"])
        _tell(table, found, "resolved")
    return found


@at_table(Role.GM)
def reopen_storyline(table: Table, storyline: Storyline, *, key: UUID) -> Storyline:
    """The end of `resolve_storyline`; nothing where it is open."""
    found = _found(table, storyline)
    if found.resolved_at is not None:
        found.resolved_at = None
        found.save(update_fields=["resolved_at"])
        _tell(table, found, "reopened")
    return found


@at_table(Role.GM)
def move_storyline(table: Table, storyline: Storyline, *, up: bool, key: UUID) -> Storyline:
    """Change places with the open storyline before it (or after it); at the end of the list nothing happens."""
    found = _found(table, storyline)
    others = Storyline.objects.of(table.campaign).open().exclude(pk=found.pk)
    neighbour = others.filter(order__lt=found.order).last() if up else others.filter(order__gt=found.order).first()
    if neighbour:
        found.order, neighbour.order = neighbour.order, found.order
        for moved in (found, neighbour):
            moved.save(update_fields=["order"])
        _tell(table, found, "moved", also=neighbour)
    return found


def _found(table: Table, storyline: Storyline) -> Storyline:
    """The storyline read again under the lock."""
    found = Storyline.objects.of(table.campaign).filter(pk=storyline.pk).first()
    if found is None:
        raise Missing
    return found


def _seated(table: Table, whose: Membership | None) -> Membership | None:
    if whose and not Membership.objects.here().filter(campaign=table.campaign, pk=whose.pk).exists():
        raise Invalid("That person is no longer at this table.", field="whose")
    return whose


def _written(storyline: Storyline) -> dict[str, Any]:
    return {"title": storyline.title, "whose": storyline.whose_id, "gm_notes": storyline.gm_notes}


def _about(storyline: Storyline) -> About:
    return About(f"storyline:{storyline.pk}", storyline.title)


def _tell(table: Table, storyline: Storyline, what: str, *, also: Storyline | None = None, **facts: Any) -> None:
    """`rows` are those whose drawing changes; the first is the one meant."""
    rows = [row(storyline), *([row(also)] if also else [])]
    table.record(STORYLINE_CHANGED, {"what": what, "rows": rows, **facts}, about=[_about(storyline)])


def _note(table: Table, storyline: Storyline) -> None:
    """Notes are told apart from the rest, in the GMs' stream: for players nothing has happened."""
    thing = {"id": str(storyline.pk), "title": storyline.title}
    facts = {"storyline": thing, "notes": storyline.gm_notes}
    table.record(STORYLINE_NOTED, facts, stream=GM, about=[_about(storyline)])
