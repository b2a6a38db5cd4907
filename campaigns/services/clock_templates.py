"""Clocks that the GMs keep ready. Players hear nothing of them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.errors import Missing
from campaigns.events import CLOCK_TEMPLATE_CHANGED
from campaigns.facts import About
from campaigns.models import Clock, ClockTemplate, Role
from campaigns.models.streams import GM
from campaigns.services.log import Table, at_table


@at_table(Role.GM)
def keep_template(table: Table, clock: Clock, *, key: UUID) -> ClockTemplate:
    """Keep a clock's name, kind, size and sight, and of a racing pair both clocks; not its ticks, nor whose it is."""
    found = Clock.objects.whole().filter(campaign=table.campaign, pk=clock.pk).first()
    if found is None:
        raise Missing
    template = ClockTemplate.objects.create(
        id=table.key,
        campaign=table.campaign,
        name=found.name,
        kind=found.kind,
        segments=found.segments,
        sight=found.sight,
        rival_name=found.rival.name if found.rival else "",
        rival_segments=found.rival.segments if found.rival else None,
    )
    _tell(table, template, gone=False)
    return template


@at_table(Role.GM)
def drop_template(table: Table, template: ClockTemplate, *, key: UUID) -> None:
    """Keep it no longer. Clocks made from it stay as they are."""
    found = ClockTemplate.objects.filter(campaign=table.campaign, pk=template.pk).first()
    if found is None:
        raise Missing
    _tell(table, found, gone=True)
    found.delete()


def _tell(table: Table, template: ClockTemplate, *, gone: bool) -> None:
    facts: dict[str, Any] = {
        "id": str(template.pk),
        "name": template.name,
        "kind": template.kind,
        "segments": template.segments,
        "sight": template.sight,
        "rival": {"name": template.rival_name, "segments": template.rival_segments} if template.rival_name else None,
    }
    about = [About(f"clock-template:{template.pk}", template.name)]
    table.record(CLOCK_TEMPLATE_CHANGED, {"template": facts, "gone": gone}, stream=GM, about=about)
