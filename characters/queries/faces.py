"""The portraits that a page may put beside the names of characters."""

from __future__ import annotations

from django.urls import reverse

from campaigns.models import Viewer
from characters.models import Character


def faces_of(viewer: Viewer) -> list[dict[str, str]]:
    """[{"character" (its id), "url"}] of those in play whom this viewer knows of and who have a portrait."""
    known = Character.objects.seen_by(viewer).active().exclude(picture="")
    found = known.select_related(None).prefetch_related(None).values_list("pk", "picture")
    return [
        {"character": str(pk), "url": reverse("portrait", args=[viewer.campaign.slug, pk, picture])}
        for pk, picture in found
    ]
