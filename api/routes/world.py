"""What is known: the pages that a token may read, and all that is done with them but for their pictures."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import QueryDict

from api import schemas
from api.bodies import Fields, filled, form_schema
from api.router import CampaignRouter, IfMatch, Version
from campaigns.models import Role, Viewer
from world import services
from world.forms import PageForm, PageLineForm, ParagraphForm
from world.models import Page
from world.queries import all_pages, find_page

router = CampaignRouter(tags=["What we know"])

CONTENT = form_schema(PageForm, only=["name", "kind", "aliases", "note", "gm_note"]) | {"required": []}


@router.reads("/pages", response=list[schemas.PageName])
def pages(viewer: Viewer) -> list[dict[str, Any]]:
    """List the pages this token can see, by name. Characters and the clocks of factions have one by themselves."""
    return [_named(page) for page in all_pages(viewer)]


@router.reads("/pages/{page_id}", response=schemas.Page)
def page(viewer: Viewer, page_id: UUID) -> dict[str, Any]:
    """Get a page with its note and, for GMs, their part of it."""
    return _told(viewer, page_id)


@router.writes("/pages", body=form_schema(PageLineForm), response=schemas.Page)
def make_page(viewer: Viewer, body: Fields, key: UUID) -> dict[str, Any]:
    """Make a page. `name` may end with its kind, and for GMs with “hidden”, as on the site: “The Gull, place, hidden”. Without
    a kind it is a thing."""
    form = filled(PageLineForm, body)
    name, shown = form.cleaned_data["name"], not form.hidden
    return _told(viewer, services.make_page(viewer.by, name, form.kind, shown=shown, key=key).pk)


@router.writes("/pages/{page_id}", method="PATCH", body=CONTENT, response=schemas.Page)
def write_page(viewer: Viewer, page_id: UUID, body: Fields, key: UUID, if_match: Version = IfMatch) -> dict[str, Any]:
    """Write on a page; what isn’t sent stays. `aliases` are separated by commas, only GMs have `gm_note`, and the page of a
    character or a clock has its name and kind from there. If someone wrote there since, 409 returns the page as it is now."""

    def form(typed: QueryDict) -> PageForm:
        bound = PageForm(current, viewer, typed)
        for name in bound.fields.keys() - body.keys():
            del bound.fields[name]
        return bound

    current = find_page(viewer, page_id)
    services.write_page(viewer.by, current, filled(form, body).draft, expected=if_match, key=key)
    return _told(viewer, page_id)


@router.writes("/pages/{page_id}/tell", Role.GM, body=form_schema(ParagraphForm), response=schemas.Page)
def tell_page(viewer: Viewer, page_id: UUID, body: Fields, key: UUID) -> dict[str, Any]:
    """Tell everyone a `paragraph` of the GM’s part, or without one all of it. It moves to the note."""
    paragraph = filled(ParagraphForm, body).cleaned_data["paragraph"]
    services.tell_page(viewer.by, Page(pk=page_id), paragraph, key=key)
    return _told(viewer, page_id)


@router.writes("/pages/{page_id}/show", Role.GM, response=schemas.Page)
def show_page(viewer: Viewer, page_id: UUID, key: UUID) -> dict[str, Any]:
    """Show a page to everyone at the table, also a hidden one, with the NPC that it is about."""
    services.show_page(viewer.by, Page(pk=page_id), key=key)
    return _told(viewer, page_id)


@router.writes("/pages/{page_id}/hide", Role.GM, response=schemas.Page)
def hide_page(viewer: Viewer, page_id: UUID, key: UUID) -> dict[str, Any]:
    """Hide a page from players. Those of characters and clocks are hidden with them."""
    services.hide_page(viewer.by, Page(pk=page_id), key=key)
    return _told(viewer, page_id)


@router.writes("/pages/{page_id}", Role.GM, method="DELETE", response=schemas.Done)
def remove_page(viewer: Viewer, page_id: UUID, key: UUID) -> dict[str, Any]:
    """Delete a page. Undoing the event brings it back."""
    services.remove_page(viewer.by, Page(pk=page_id), key=key)
    return {"id": str(page_id)}


def _named(page: Page) -> dict[str, Any]:
    return page.ref | {
        "kind": page.kind,
        "aliases": page.aliases,
        "hidden": page.is_hidden,
        "character": page.character.ref if page.character else None,
        "clock": page.clock.ref if page.clock else None,
    }


def _told(viewer: Viewer, page_id: UUID) -> dict[str, Any]:
    current = find_page(viewer, page_id)
    kept = {"gm_note": current.gm_note} if viewer.is_gm else {}
    seen = {"version": services.page_version(current, viewer)} if viewer.role.at_least(Role.PLAYER) else {}
    return _named(current) | {"note": current.note} | kept | seen
