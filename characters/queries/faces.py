"""The portraits that a page may put beside the names of characters."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

from django.db import models
from django.db.models import QuerySet
from django.urls import reverse

from campaigns.models import Viewer
from characters.models import Character
from database.compiled import Parameter, compiled


def faces_of(viewer: Viewer) -> list[dict[str, str]]:
    """[{"character" (its id), "url", "owner" (the member who plays it, or "")}] of those in play whom this viewer knows of and
    who have a portrait."""
    found = (_all if viewer.is_gm else _known).rows(campaign=viewer.campaign.pk)
    return [
        {
            "character": str(pk),
            "url": reverse("portrait", args=[viewer.campaign.slug, pk, picture]),
            "owner": str(owner or ""),
        }
        for pk, picture, owner in found
    ]


def _pictured(campaign: Parameter, *, is_gm: bool) -> QuerySet[Any]:
    viewer: Any = SimpleNamespace(campaign=campaign, is_gm=is_gm)
    known = Character.objects.seen_by(viewer).active().exclude(picture="")
    return known.select_related(None).prefetch_related(None).values_list("pk", "picture", "owner")


_of_campaign = compiled(campaign=models.UUIDField())
_all, _known = (_of_campaign(partial(_pictured, is_gm=is_gm)) for is_gm in (True, False))
