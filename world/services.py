"""Write what is known: pages made, written on, shown, hidden and removed. Every player writes, but for the GMs' part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Blocked, Conflict, Invalid
from campaigns.models import Event, Role, Viewer, Written
from campaigns.models.members import GM, TABLE
from campaigns.pictures import Upload
from campaigns.services.log import UnitOfWork, compare_and_set, last_actor, service, version
from campaigns.services.undo import caused, note, puts_back, tell_undoable
from characters.services.cards import card_of, card_version, change_character
from world.events import PAGE_NOTED, PAGE_WRITTEN
from world.models import Page, PageKind, PagePicture, note_of, paragraphs_of
from world.queries import all_pages, find_page


@dataclass(frozen=True)
class PageDraft:
    """What is written on a page; None leaves what is there. Name and kind count for those alone that have their own; only GMs
    write `gm_note`.
    """

    name: str | None = None
    kind: PageKind | None = None
    aliases: tuple[str, ...] | None = None
    note: str | None = None
    gm_note: str | None = None


def draft_of(page: Page, viewer: Viewer) -> PageDraft:
    """Return a page as this viewer may write it."""
    kept = page.gm_note if viewer.is_gm else None
    return PageDraft(page.name, PageKind(page.kind), tuple(page.aliases), page.note, kept)


def page_version(page: Page, viewer: Viewer) -> str:
    """Return the `expected` of `write_page`. That of players says nothing of the GMs' part."""
    return version(vars(draft_of(page, viewer)))


@service(Role.PLAYER)
def make_page(work: UnitOfWork, name: str, kind: PageKind, *, shown: bool = True, key: UUID) -> Page:
    """Make a page with a name of its own; `shown` is False for one that only GMs know of. Raises Invalid if there is one of that
    name already, as far as the person who makes it may know.
    """
    page = Page(id=work.key, campaign=work.campaign, name=name, kind=kind, shown=shown or not work.by.is_gm)
    _check_names(work, page, [name])
    _store(work, page, "made")
    return page


@service(Role.PLAYER)
def write_page(work: UnitOfWork, page: Page, draft: PageDraft, *, expected: str, key: UUID) -> Page:
    """Write on a page. `expected` is its version when the form was made; raises Conflict with its current values."""
    current, viewer = _found(work, page)
    now, names = vars(draft_of(current, viewer)), current.names
    compare_and_set(work.campaign, current.subject, expected=expected, current=now)
    said = now | {name: value for name, value in vars(draft).items() if value is not None}
    if current.is_own:
        current.name, current.kind = said["name"], said["kind"]
    current.aliases = list(said["aliases"])
    _check_names(work, current, [name for name in current.names if name not in names])
    current.note = note_of(paragraphs_of(said["note"]))
    if viewer.is_gm:
        current.gm_note = note_of(paragraphs_of(said["gm_note"]))
    _store(work, current, "written")
    return current


@service(Role.GM)
def tell_page(work: UnitOfWork, page: Page, paragraph: str, *, key: UUID) -> Page:
    """Tell everyone a paragraph of the GMs' part, or with "" all of it: it becomes the last of the shared note. Raises Conflict
    if it isn't there any more, and Blocked while the page itself is hidden.
    """
    current, _viewer = _found(work, page)
    kept = paragraphs_of(current.gm_note)
    told = [part for part in kept if part == paragraph] if paragraph else kept
    if not told:
        raise Conflict(_("This is no longer in the GM’s part. Reload the page and choose again."))
    if current.is_hidden:
        raise Blocked(_("Players don’t know about “{name}”. Show the page first.").format(name=current.name))
    current.note = note_of([*paragraphs_of(current.note), *told])
    current.gm_note = note_of(part for part in kept if part not in told)
    _store(work, current, "told")
    return current


@service(Role.GM)
def show_page(work: UnitOfWork, page: Page, *, key: UUID) -> Page:
    """Show a page to everyone at the table; one that was hidden is known from now on, with the NPC whose it is."""
    current, _viewer = _found(work, page)
    if current.character and current.is_hidden:
        shown, expected = replace(card_of(current.character), shown=True), card_version(current.character)
        current.character = work.part(change_character, current.character, shown, expected=expected)
    elif current.clock and current.is_hidden:
        raise Blocked(_("Players don’t know about this clock. Make it visible under Clocks first."))
    current.shown = True
    _store(work, current, "shown")
    return current


@service(Role.GM)
def hide_page(work: UnitOfWork, page: Page, *, key: UUID) -> Page:
    """Hide a page from players. Raises Invalid for one about a character or clock, which is hidden where that is kept."""
    current = _own(work, page)
    current.shown = False
    _store(work, current, "hidden")
    return current


@service(Role.GM)
def remove_page(work: UnitOfWork, page: Page, *, key: UUID) -> None:
    """Remove a page; undoing that brings it back. Raises Invalid as `hide_page` does."""
    _store(work, _own(work, page), "removed", gone=True)


@service(Role.PLAYER)
def set_picture(work: UnitOfWork, page: Page, picture: Upload | None, *, key: UUID) -> Page:
    """Set a page's picture, or with None remove it. Raises Invalid for a page about a character, which has a portrait."""
    current, _viewer = _found(work, page)
    if current.character:
        raise Invalid(_("This page has the character’s portrait. Change it on their sheet."), field="picture")
    kept = PagePicture(page=current, image=picture.small, icon=picture.icon) if picture else None
    current.picture = kept.digest if kept else ""
    current.save()
    PagePicture.objects.filter(page=current).delete()
    if kept:
        kept.save(force_insert=True)
    _tell(work, current, "pictured", current.stream, ())
    return current


State = dict[str, Any]
"""What a row of a page says, but for its picture; of one about something else, without what is kept there."""


def _state(page: Page) -> State:
    own = {"name": page.name, "kind": str(page.kind), "shown": page.shown} if page.is_own else {}
    notes = {"note": paragraphs_of(page.note), "gm_note": paragraphs_of(page.gm_note)}
    return {**own, "aliases": page.aliases, **notes}


def _states(row: Page | None) -> list[State]:
    return [_state(row)] if row else []


def _found(work: UnitOfWork, page: Page) -> tuple[Page, Viewer]:
    """Return the page as it is now, and who acts as its viewer. Raises NotFound where they may not read it."""
    viewer = Viewer(work.campaign, work.by, Role(work.by.role))
    return find_page(viewer, page.pk), viewer


def _own(work: UnitOfWork, page: Page) -> Page:
    current, _viewer = _found(work, page)
    if not current.is_own:
        raise Invalid(_("This page belongs to a character or a clock. Hide or remove it there."))
    return current


def _check_names(work: UnitOfWork, page: Page, names: Sequence[str]) -> None:
    pages = all_pages(Viewer(work.campaign, work.by, Role(work.by.role))) if names else []
    for name in names:
        if other := next((one for one in pages if one.pk != page.pk and one.is_called(name)), None):
            field = "name" if name == page.name else "aliases"
            raise Invalid(_("There’s already a page called {name}.").format(name=other.name), field=field)


def _store(work: UnitOfWork, page: Page, what: str, *, gone: bool = False) -> None:
    """Write a page, tell it, and keep how it was before so that it can be undone. Nothing happens where nothing is new."""
    row = Page.objects.filter(pk=page.pk).first()
    before, after = _states(row), [] if gone else [_state(page)]
    if before == after and what != "shown":
        return
    told, thing = _write(work, page, what, before, after), f"page:{page.pk}"
    if before != after:
        with caused(work, work.key, by=work.by):
            note(work, thing, before=before, after=after)
        tell_undoable(work, work.key, thing, told.uid)


def _write(work: UnitOfWork, page: Page, what: str, before: list[State], after: list[State]) -> Event:
    """Write a page, and tell each part of it to those who may read it. Return what was told last to the most of them."""
    if after or (page.picture and not page.is_own):
        page.save()
    else:
        Page.objects.filter(pk=page.pk).delete()
    was: State = dict(*before)
    now: State = dict(*after)
    kept_before, kept = was.pop("gm_note", []), now.pop("gm_note", [])
    events = []
    if kept != kept_before and what != "told":
        undone = what == "undone"
        new = [] if undone else _new(kept, kept_before)
        payload = {"page": page.ref, "note": kept, "new": new, "undone": undone}
        events = [
            work.record(PAGE_NOTED, payload, stream=GM, subjects=[replace(page.subject, key=f"gm-{page.subject.key}")])
        ]
    if was != now or what == "shown":
        known = page.stream == TABLE if page.character or page.clock else was.get("shown") or now.get("shown")
        note_before, note_now = was.get("note", []), now.get("note", [])
        new = _new(note_now, note_before) if what == "written" else []
        if what == "told":
            new = [*range(len(note_before), len(note_now))]
        events = [_tell(work, page, what, TABLE if known else GM, new)]
    return events[-1]


def _new(paragraphs: Sequence[str], before: Sequence[str]) -> list[int]:
    return [number for number, paragraph in enumerate(paragraphs) if paragraph not in before]


def _tell(work: UnitOfWork, page: Page, what: str, stream: str, new: Sequence[int]) -> Event:
    payload = {
        "page": page.ref,
        "what": what,
        "kind": str(page.kind),
        "aliases": page.aliases,
        "note": paragraphs_of(page.note),
        "new": [*new],
    }
    about = [page.subject, *([page.character.subject] if page.character else [])]
    return work.record(PAGE_WRITTEN, payload, stream=stream, subjects=about)


@puts_back("page")
def _put_back(work: UnitOfWork, pk: UUID, written: Written, why: Any) -> None:
    """Put back what a page said. Raises Conflict where somebody has written on it since."""
    row = Page.objects.filter(campaign=work.campaign, pk=pk).select_related("character", "clock").first()
    page = row or Page(id=pk, campaign=work.campaign)
    if _states(row) != written.after:
        who = last_actor(work.campaign, page.subject.key)
        message = _("{who} has changed {what} since, so this can’t be undone.").format(who=who, what=page.name)
        raise Conflict(message, by=who)
    state: State = {"aliases": [], "note": [], "gm_note": []} | dict(*written.before)
    texts = {name: note_of(state[name]) for name in ("note", "gm_note")}
    for name, value in (state | texts).items():
        setattr(page, name, value)
    kept = PagePicture.objects.filter(page=pk).first()
    page.picture = kept.digest if kept else ""
    _write(work, page, "undone" if written.before else "removed", written.after, written.before)
