"""Clocks that the GMs keep ready. Players hear nothing of them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.errors import NotFound
from campaigns.events import CLOCK_TEMPLATE_CHANGED
from campaigns.models import Clock, ClockTemplate, Role
from campaigns.models.streams import GM
from campaigns.references import Subject
from campaigns.services.log import UnitOfWork, service


@service(Role.GM)
def keep_template(work: UnitOfWork, clock: Clock, *, key: UUID) -> ClockTemplate:
    """Keep a clock's name, kind, size and visibility, and of a racing pair both clocks; not its ticks, nor whose it is."""
    current = Clock.objects.with_related().filter(campaign=work.campaign, pk=clock.pk).first()
    if current is None:
        raise NotFound
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
def drop_template(work: UnitOfWork, template: ClockTemplate, *, key: UUID) -> None:
    """Keep it no longer. Clocks made from it stay as they are."""
    current = ClockTemplate.objects.filter(campaign=work.campaign, pk=template.pk).first()
    if current is None:
        raise NotFound
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
