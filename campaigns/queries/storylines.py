"""The storylines of a campaign, as everybody may see them."""

from __future__ import annotations

from typing import Any

from campaigns.models import Storyline, Viewer
from campaigns.references import person


def row(storyline: Storyline) -> dict[str, Any]:
    """What everybody may see of a storyline, as campaigns/_storyline.html draws it."""
    return {
        "id": str(storyline.pk),
        "title": storyline.title,
        "whose": person(storyline.whose) if storyline.whose else None,
        "open": storyline.resolved_at is None,
        "order": storyline.order,
    }


def storylines_of(viewer: Viewer) -> list[dict[str, Any]]:
    """The rows of the open storylines, in order: the panel of the table page, the same for everybody."""
    return [row(storyline) for storyline in Storyline.objects.of(viewer.campaign).open()]
