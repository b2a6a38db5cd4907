"""Clocks: read, create, change, tick, archive."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from api import schemas
from api.bodies import Fields, filled, form_schema
from api.router import CampaignRouter, IfMatch, Version
from campaigns.errors import existing
from campaigns.forms.clocks import ClockForm, NewClockForm, TickForm
from campaigns.models import Clock, Role, Viewer
from campaigns.queries.clocks import clock_payload, owners_of
from campaigns.services import clocks as services
from campaigns.services.clocks import clock_version

router = CampaignRouter(tags=["Clocks"])


@router.reads("/clocks", response=list[schemas.Clock])
def clocks(viewer: Viewer) -> list[dict[str, Any]]:
    """List the clocks this token can see, including archived ones."""
    owners = owners_of(viewer.campaign)
    return [_told(viewer, clock, owners) for clock in Clock.objects.seen_by(viewer).with_related()]


@router.reads("/clocks/{clock_id}", response=schemas.Clock)
def clock(viewer: Viewer, clock_id: UUID) -> dict[str, Any]:
    """Get one clock."""
    return _told(viewer, _clock(viewer, clock_id))


@router.writes("/clocks", Role.GM, body=form_schema(NewClockForm), response=schemas.Clock)
def make_clock(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Create a clock. With `rival_name` and `rival_segments`, create a pair that race each other."""
    form = filled(lambda data: NewClockForm(viewer.campaign, data), {"filled": 0, **body})
    made = services.make_clock(viewer.by, form.draft, rival=form.rival, filled=form.cleaned_data["filled"], key=key)
    return _told(viewer, _clock(viewer, made.pk))


@router.writes("/clocks/{clock_id}", Role.GM, method="PUT", body=form_schema(ClockForm), response=schemas.Clock)
def change_clock(
    viewer: Viewer, clock_id: UUID, body: Fields, key: UUID, if_match: Version = IfMatch
) -> dict[str, Any]:
    """Change a clock. Its ticks stay."""
    current = _clock(viewer, clock_id)
    form = filled(lambda data: ClockForm(viewer.campaign, data, clock=current), body)
    services.change_clock(viewer.by, current, form.draft, expected=if_match, key=key)
    return _told(viewer, _clock(viewer, clock_id))


@router.writes("/clocks/{clock_id}/ticks", body=form_schema(TickForm), response=schemas.Clock)
def tick_clock(viewer: Viewer, clock_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Tick a clock; a negative number unticks it. GMs tick any clock, players their own and the crew’s."""
    services.tick_clock(viewer.by, Clock(pk=clock_id), **filled(TickForm, body).cleaned_data, key=key)
    return _told(viewer, _clock(viewer, clock_id))


@router.writes("/clocks/{clock_id}/archive", Role.GM, response=schemas.Clock)
def archive_clock(viewer: Viewer, clock_id: UUID, key: UUID) -> dict[str, Any]:
    """Archive a clock. Its history stays."""
    services.archive_clock(viewer.by, _clock(viewer, clock_id), key=key)
    return _told(viewer, _clock(viewer, clock_id))


@router.writes("/clocks/{clock_id}/restore", Role.GM, response=schemas.Clock)
def restore_clock(viewer: Viewer, clock_id: UUID, key: UUID) -> dict[str, Any]:
    """Restore an archived clock."""
    services.restore_clock(viewer.by, _clock(viewer, clock_id), key=key)
    return _told(viewer, _clock(viewer, clock_id))


def _told(viewer: Viewer, clock: Clock, owners: Any = None) -> dict[str, Any]:
    told = clock_payload(clock, owners or owners_of(viewer.campaign), whole=viewer.is_gm)
    return told | ({"version": clock_version(clock)} if viewer.is_gm else {})


def _clock(viewer: Viewer, clock_id: UUID) -> Clock:
    return existing(Clock.objects.seen_by(viewer).with_related().filter(pk=clock_id).first())
