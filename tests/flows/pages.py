"""Pages of what is known: written, shown, hidden, and a part that is the GMs'."""

from __future__ import annotations

from dataclasses import replace
from uuid import uuid4

from campaigns.models import Event, Membership
from characters.models import Character
from rolls.services.undoing import undo_line
from tests.canaries import canary
from tests.cast import seat_at
from tests.flows.pictures import upload
from world import services
from world.events import PAGE_WRITTEN
from world.models import Page, PageKind
from world.queries import find_page


def write(by: Membership, page: Page, **words: object) -> Page:
    viewer = seat_at(by)
    current = find_page(viewer, page.pk)
    draft = replace(services.draft_of(current, viewer), **words)
    return services.write_page(by, page, draft, expected=services.page_version(current, viewer), key=uuid4())


def pages_are_written(gm: Membership, mo: Membership, npc: Character, hidden_npc: Character) -> tuple[Page, Page]:
    """Return a page that everyone reads, and one that only GMs do."""
    page = services.make_page(mo, "The Gull", PageKind.PLACE, key=uuid4())
    write(
        mo,
        page,
        note="An inn of [[Orsolya]].\n\nIt stands.",
        aliases=("the inn",),
    )
    write(gm, page, gm_note=f"It burns.\n\n{canary('gm', 'inn')}")
    services.tell_page(gm, page, "It burns.", key=uuid4())
    services.set_picture(mo, page, upload("a gull"), key=uuid4())
    for about, words in ((npc, "The house is hers."), (hidden_npc, canary("gm", "prompter"))):
        write(gm, find_page(seat_at(gm), about.pk), note=words, gm_note=canary("gm", "plan"))
    hidden = services.make_page(gm, canary("gm", "page"), PageKind.FACTION, shown=False, key=uuid4())
    write(gm, hidden, note=canary("gm", "buyers"))
    gone = services.make_page(gm, "A warm key", PageKind.THING, shown=False, key=uuid4())
    services.show_page(gm, gone, key=uuid4())
    services.hide_page(gm, gone, key=uuid4())
    services.remove_page(gm, gone, key=uuid4())
    write(mo, page, note="Wrong.")
    undo_line(gm, Event.objects.filter(campaign=gm.campaign, kind=PAGE_WRITTEN).latest("pk").uid, key=uuid4())
    return Page.objects.get(pk=page.pk), hidden
