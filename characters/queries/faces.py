"""The portraits that a page may put beside the names of characters."""

from __future__ import annotations

from django.urls import reverse

from campaigns.models import Viewer
from characters.models import Character


def faces_of(viewer: Viewer) -> list[dict[str, str]]:
    """[{"character" (its id), "url", "owner" (the member who plays it, or "")}] of those in play whom this viewer knows of and
    who have a portrait."""
    pictured = Character.objects.seen_by(viewer).active().exclude(picture="")
    return [
        {
            "character": str(pk),
            "url": reverse("portrait", args=[viewer.campaign.slug, pk, picture]),
            "owner": str(owner or ""),
        }
        for pk, picture, owner in pictured.prefetch_related(None).values_list("pk", "picture", "owner")
    ]
