"""How sheets are drawn."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.template.loader import render_to_string
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from campaigns.live.render import kept
from campaigns.models import Viewer
from campaigns.text import listed
from characters.faces import FACES
from characters.models import Character
from characters.queries.in_play import faces_of
from languages.text import colon

register = template.Library()

KEPT = 8 * 2**20  # bytes of parts


@register.simple_tag(takes_context=True)
def drawn(context: template.Context, name: str, **given: Any) -> SafeString:
    """Draw a part of a sheet by the template of this name, which gets only the given values (in JSON's own types, and
    lazy labels) and the campaign's address. So a text cached for one page is right for every page in the same language.
    """
    url = getattr(context.get("campaign"), "url", "")
    return _drawn(name, json.dumps({**given, "campaign": {"url": url}}, default=str))


@kept(KEPT, lambda name, given: (name, given, get_language()))
def _drawn(name: str, given: str) -> SafeString:
    return render_to_string(name, json.loads(given))


@register.filter
def players(card: Mapping[str, Any]) -> str:
    """Return a character's players, by its card: "Ana, Mo and Ro"."""
    return listed([card["whose"]["name"], *(player["name"] for player in card["also"])])


@register.filter
def all_names(persons: Iterable[Mapping[str, Any]]) -> str:
    """Return the names of some people: "Ana, Mo and Ro"."""
    return listed([person["name"] for person in persons])


@register.filter
def face_url(name: str) -> str:
    """Return the address of a face's picture; "" for one that is not there, as in logs from elsewhere."""
    return static(f"faces/{name}.svg") if name in FACES else ""


@register.filter
def slot(address: str) -> str:
    """Return an address as part of an element's id: "traits/4f2a/dice" becomes "traits-4f2a-dice", fit for selectors."""
    # Names have underscores and row ids neither, so that no two addresses come to the same.
    return address.replace("/", "-")


@register.filter
def column(label: str) -> str:
    """Return the column in the label of a row's value: "Rating" in "Allies: Rating"; "" for the row's title."""
    return label.rpartition(colon())[2] if colon() in label else ""


@register.filter
def last_part(address: str) -> str:
    """Return the column of an address in a row: "dice" of "traits/4f2a/dice"."""
    return address.rpartition("/")[2]


@register.inclusion_tag("characters/_faces.html")
def faces(viewer: Viewer) -> dict[str, Any]:
    """Draw the portraits that js/faces.js puts beside names."""
    return {"faces": faces_of(viewer)}


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
