"""The public part of a character, for all who know it."""

from __future__ import annotations

from typing import Any

from django import template
from django.urls import reverse

from campaigns.models import Viewer
from characters.models import Character

register = template.Library()


@register.inclusion_tag("characters/_public.html")
def public_side(character: Character, viewer: Viewer) -> dict[str, Any]:
    """Return the context of the sheet's public part, read from the public values only."""
    return {
        "character": str(character.pk),
        "pronouns": character.cell("pronouns"),
        "description": character.public.get("description", ""),
        "links": _links(character, viewer),
    }


def _links(character: Character, viewer: Viewer) -> list[dict[str, str]]:
    """Return [{"name", "url", "words"}] of a character's links, without those to characters that this reader does not know."""
    rows = character.rules.rows(character.public, "known_links")
    wanted = {row["to"] for row in rows if row["to"]}
    names = (
        {str(linked.pk): linked.name for linked in Character.objects.seen_by(viewer).filter(pk__in=wanted)}
        if wanted
        else {}
    )
    return [
        {
            "name": names.get(row["to"], ""),
            "url": reverse("character", args=[viewer.campaign.slug, row["to"]]) if row["to"] else "",
            "words": row["words"],
        }
        for row in rows
        if not row["to"] or row["to"] in names
    ]
