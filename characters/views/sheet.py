"""A character's page, and its edits: each field saves by itself, and so does each row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from campaigns.access import id_or_none, member_view, request_key
from campaigns.errors import Conflict, Invalid, NotFound
from campaigns.live import presence as places
from campaigns.live.presence import follow
from campaigns.models import Event, Role, Viewer
from campaigns.views.answers import done
from characters.models import Character, character_of, read_rows
from characters.rulesets import drawn_figure, figures_of, has_budget, pots_of
from characters.services import cards
from characters.services.fields import (
    add_row,
    can_undo,
    mark_resources,
    remove_row,
    row_as_seen,
    set_field,
    undo_change,
)
from characters.services.sheet_writes import only_players
from characters.sheets import told
from characters.sheets.common import ABOUT, DISPOSITION
from characters.sheets.fields import (
    Choice,
    Field,
    Flag,
    Link,
    Marks,
    Measure,
    Number,
    Rows,
    SheetError,
    Text,
    Value,
    Visibility,
)
from characters.sheets.sheet import Group
from characters.sheets.told import title
from characters.views.in_play import CHOSEN, hand_of, in_full, resource_item
from characters.views.in_play import party as party_of

# The context of a character's page: every field of its sheet that the viewer may see, and its control.


WIDE = 7  # marks that leave room for words next to them
MOST_STEPS = 10  # a number that goes further is typed, or stepped by one; boxes are pressed however many there are
LONGEST_MEASURE = 12

Item: TypeAlias = dict[str, Any]


def sheet_of(character: Character, viewer: Viewer, *, writes: bool) -> dict[str, Any]:
    """Return the context of characters/character.html: {"bands", "figures", "tokens", "roll_url"}, for a viewer who may
    read the sheet.

    bands: [{"flows", "groups": [{"name", "words", "items": [field or rows], "alone", "figure", "blank"}]}]: groups side
    by side, or flowing in columns; `alone` if the heading says it all, `blank` if the group is empty. A field is
    {"cell", "control", "visibility", "rolls", "track", "length"}, rows are {"rows", "label", "singular", "title",
    "list": [characters/_row.html], "columns": [{"name", "label", "start", "control"}], "rolls", "visibility"}; `rolls`
    says what of it can be rolled. tokens: by visibility, what the browser of a viewer who `writes` sends to tell others
    where. Values that this viewer may not see are left out.
    """
    figures = {figure["name"]: drawn_figure(character.rules.name, figure) for figure in figures_of(character)}
    groups = list(_groups(character, character.visibilities(viewer), figures))
    heads = {group["name"] for group in groups}
    return {
        "bands": _bands(character, groups),
        "figures": [figure for name, figure in figures.items() if "/" not in name and name not in heads],
        "tokens": {
            visibility.value: _token(character, visibility) for visibility in character.visibilities(viewer) if writes
        },
        "roll_url": _roll_url(character, viewer),
    }


def _bands(character: Character, groups: list[Item]) -> list[Item]:
    beside = character.rules.layout.bands
    last = (ABOUT.name,)
    placed = {name for band in (*beside, last) for name in band}
    rest = tuple(group["name"] for group in groups if group["name"] not in placed)
    bands = [
        {"flows": band is rest, "groups": [group for group in groups if group["name"] in band]}
        for band in (*beside, rest, last)
    ]
    return [band for band in bands if band["groups"]]


def _groups(
    character: Character, visibilities: frozenset[Visibility], figures: dict[str, dict[str, Any]]
) -> Iterator[Item]:
    for group in (*character.rules.groups, *([_feelings()] if character.is_npc else [])):
        if items := list(_items(character, group, visibilities, figures)):
            alone = len(group.fields) == 1
            head = {"name": group.name, "words": group.label, "alone": alone, "figure": figures.get(group.name)}
            yield head | {"items": items, "blank": all(map(_is_blank, items))}


def _is_blank(item: Item) -> bool:
    """Return whether a list has no rows; a field is never blank."""
    return "rows" in item and not item["list"]


def control_of(field: Field, character: Character, visibility: Visibility) -> dict[str, Any]:
    """Return the control for a field: {"as": "steps", "number", "line", "long", "choice" or "flag", and its parameters}."""
    if isinstance(field, Number):
        return _number(field)
    if isinstance(field, Text):
        kind = "long" if field.long else "line"
        return {"as": kind, "most": field.most, "suggests": field.suggested, "required": field.required}
    if isinstance(field, Measure):
        return {"as": "line", "most": LONGEST_MEASURE, "unit": field.unit}
    if isinstance(field, Choice):
        return {"as": "choice", "choices": field.choices}
    if isinstance(field, Link):
        return {"as": "choice", "choices": (("", _("No one yet")), *character.known(visibility).items())}
    return {"as": "flag"}


def _number(field: Number) -> dict[str, Any]:
    goes_far = field.maximum > MOST_STEPS and field.marks is not Marks.BOXES
    typed = field.marks is Marks.NUMBER or goes_far
    if typed:
        return {"as": "number", "minimum": field.minimum, "maximum": field.maximum}
    steps = [step for step in range(field.minimum, field.maximum + 1) if step or field.minimum < 0]
    return {
        "as": "steps",
        "steps": steps,
        "none": field.minimum == 0,
        "signed": field.marks is Marks.SIGNED,
        "wide": len(steps) > WIDE and (field.drawn or len(steps)) > WIDE,
    }


def _items(
    character: Character, group: Group, visibilities: frozenset[Visibility], figures: dict[str, dict[str, Any]]
) -> Iterator[Item]:
    for field in group.in_order:
        if field.visibility not in visibilities:
            continue
        yield _rows(character, field, figures) if isinstance(field, Rows) else _field(character, field)


def _field(character: Character, field: Field) -> Item:
    rolls = isinstance(field, Number) and field.rollable and field.visibility is Visibility.SHEET
    return {
        "cell": character.cell(field.name),
        "control": control_of(field, character, field.visibility),
        "visibility": field.visibility.value,
        "rolls": rolls,
        "track": field.box if isinstance(field, Flag) else 0,
        "length": _length_of_track(character, field),
    }


def _length_of_track(character: Character, field: Field) -> str:
    """Return the name of the number that says how many boxes the track of this field has; "" for any other field."""
    resources = character.rules.layout.resources
    return next((resource.length for resource in resources if field.name in resource.flags), "")


def _rows(character: Character, rows: Rows, figures: dict[str, dict[str, Any]]) -> Item:
    rows_here = character.rules.rows(character.values, rows.name)
    return {
        "rows": rows.name,
        "label": rows.label,
        "singular": rows.singular,
        "list": [
            character.row_cells(rows, row["id"])
            | {"at": row["at"], "figure": figures.get(f"{rows.name}/{row['id']}", {}).get("words", "")}
            for row in rows_here
        ],
        "columns": [column_of(character, column, rows.visibility) for column in rows.columns],
        "title": rows.title,
        "rolls": rows.trait,
        "visibility": rows.visibility.value,
    }


def column_of(character: Character, column: Field, visibility: Visibility) -> dict[str, Any]:
    start: Value = column.start
    control = control_of(column, character, visibility)
    return {"name": column.name, "label": column.label, "start": start, "control": control}


def _feelings() -> Group:
    return Group(DISPOSITION.name, DISPOSITION.label, (DISPOSITION,))


def _token(character: Character, visibility: Visibility) -> str:
    return places.token(character.campaign_id, character.subject.key, character.streams(visibility))


def _roll_url(character: Character, viewer: Viewer) -> str:
    """Return the table's address with this character at hand, to which a trait's address is appended; "" if the viewer
    may not roll for it.
    """
    mine = viewer.membership in character.players or (viewer.is_gm and character.is_npc)
    if viewer.is_read_only or not mine or not character.plays:
        return ""
    return f"{reverse('table', args=[viewer.campaign.slug])}?{CHOSEN}={character.pk}"


COLUMN = "column-"  # before the names of columns, which may be any word

MARKS: dict[str, tuple[Callable[..., Character], object]] = {
    "locked": (cards.lock_sheet, gettext_lazy("Lock sheet")),
    "unlocked": (cards.unlock_sheet, gettext_lazy("Unlock sheet")),
    "complete": (partial(cards.mark_complete, complete=True), gettext_lazy("Mark as complete")),
    "incomplete": (partial(cards.mark_complete, complete=False), gettext_lazy("Mark as incomplete")),
}
OF_GMS = ("locked", "unlocked")


@require_GET
@member_view(Role.SPECTATOR)
def character(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Show as much of the sheet as this viewer may see: all of it, or only the card."""
    following = follow(viewer)
    current = character_at(viewer, character_id)
    acts = current.written_by(viewer) and not viewer.is_read_only and viewer.role.at_least(Role.PLAYER)
    writes = acts and current.plays
    context = {
        "viewer": viewer,
        "role": viewer.role.value,
        "character": current,
        "card": current.card(),
        "opens": current.opens_for(viewer),
        "acts": acts,
        "writes": writes,
        "budgeted": has_budget(current),
        "undoes": writes and can_undo(viewer.by, current),
        "marks": [(mark, words) for mark, (operation, words) in MARKS.items() if viewer.is_gm or mark not in OF_GMS],
    }
    sheet = sheet_of(current, viewer, writes=writes) if context["opens"] else {}
    return render(request, "characters/character.html", context | sheet | following)


@require_POST
@member_view(Role.PLAYER)
def character_field(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Save one field. If somebody else was faster, show both values and the choice between them (409); with `briefly`
    only that.
    """
    # Whose it is and whether they know of it is asked under the lock.
    current, post = Character(pk=character_id), request.POST
    field, value, seen, why = (post.get(name, "") for name in ("field", "value", "expected", "why"))
    try:
        set_field(viewer.by, current, field, value, expected=seen, why=why, key=request_key(request))
    except Conflict as stale:
        if not getattr(request, "htmx", None) or "briefly" in post:
            raise
        context = {"stale": stale, "cell": _cell_now(viewer, character_id, field), "value": value}
        return render(request, "characters/_both_values.html", context, status=409)
    return done(request, "character", viewer.campaign.slug, current.pk)


@require_POST
@member_view(Role.PLAYER)
def row_add(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current, post = Character(pk=character_id), request.POST
    rows, why = post.get("rows", ""), post.get("why", "")
    add_row(viewer.by, current, rows, {**_columns(request)}, why=why, key=request_key(request))
    return done(request, "character", viewer.campaign.slug, current.pk)


@require_POST
@member_view(Role.PLAYER)
def row_remove(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Remove a row, as it was seen: the columns name the seen values."""
    current, post = character_at(viewer, character_id), request.POST
    rows, row, why = (post.get(name, "") for name in ("rows", "row", "why"))
    seen = row_as_seen(current, rows, row, _columns(request))
    remove_row(viewer.by, current, rows, row, expected=seen, why=why, key=request_key(request))
    return done(request, "character", viewer.campaign.slug, current.pk)


@require_POST
@member_view(Role.PLAYER)
def character_undo(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Undo one's last change of the sheet. The answer to the page, {"more"}, says whether there is another one to undo."""
    current = character_at(viewer, character_id)
    undo_change(viewer.by, current, key=request_key(request))
    if not getattr(request, "htmx", None):
        return done(request, "character", viewer.campaign.slug, character_id)
    return JsonResponse({"more": can_undo(viewer.by, current)})


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_mark(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Lock the sheet, unlock it, or say that it is complete or not: `mark` is one of MARKS. A GET tells what of the budget
    of a new character is not spent yet."""
    if request.method == "GET":
        return render(request, "characters/_unspent.html", {"pots": pots_of(writable(viewer, character_id))})
    current, key = character_at(viewer, character_id), request_key(request)
    mark = request.POST.get("mark", "")
    if mark not in MARKS:
        raise Invalid(_("A sheet can’t be marked like that."), field="mark")
    operation = MARKS[mark][0]
    operation(viewer.by, current, key=key)
    return done(request, "character", viewer.campaign.slug, character_id)


def character_at(viewer: Viewer, character_id: UUID) -> Character:
    """Return a character. Raises NotFound for those hidden from this viewer, of other campaigns, and unknown ones alike."""
    current = character_of(viewer.campaign, character_id)
    if current is None or not current.known_to(viewer):
        raise NotFound
    read_rows(viewer, [current])
    return current


def writable(viewer: Viewer, character_id: UUID) -> Character:
    """Return a character that the viewer may write in. Raises NotFound for one hidden from them, Forbidden for others'."""
    current = character_at(viewer, character_id)
    if not current.written_by(viewer):
        raise only_players(current)
    return current


def _columns(request: HttpRequest) -> dict[str, str]:
    return {name.removeprefix(COLUMN): str(value) for name, value in request.POST.items() if name.startswith(COLUMN)}


def _cell_now(viewer: Viewer, character_id: UUID, field: str) -> dict[str, object] | None:
    """Return the field as it is now; None where its row is gone."""
    try:
        return character_at(viewer, character_id).cell(field)
    except SheetError:
        return None


# The history of one field of a sheet: who set it, when, from what to what, and why.


PAGE = 10  # changes


@require_GET
@member_view(Role.SPECTATOR)
def field_history(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Show the changes of a field, newest first. `field` is the address of a field, a row ("skills/4f2a") or a list;
    `before` the change to continue from.
    """
    current, address = character_at(viewer, character_id), request.GET.get("field", "")
    label = _label(current, viewer, address)
    events = Event.objects.seen_by(viewer).deduplicated(viewer).about(current.field_subject(address).key)
    uid = id_or_none(request.GET.get("before", ""))
    since = events.filter(uid=uid).first() if uid else None
    page = list(events.before(since.pk if since else None).select_related("stored")[: PAGE + 1])
    further = urlencode({"field": address, "before": page[PAGE - 1].uid}) if len(page) > PAGE else ""
    context = {
        "label": label,
        "changes": [_change(event) for event in page[:PAGE] if event.is_readable],
        "further": f"{request.path}?{further}" if further else "",
    }
    return render(request, "characters/_history.html", context)


def _change(event: Event) -> dict[str, Any]:
    """Return {"who", "at", "why", "was", "now"}; for an added or removed row {"operation", "title"} instead of the last two."""
    payload = event.described
    fields = {"who": event.actor_name, "at": event.at, "why": payload.get("why", "")}
    if "cell" not in payload:
        operation = "added" if event.kind.endswith("row_added") else "removed"
        return fields | {"operation": operation, "title": payload["title"] or payload["rows"]["singular"]}
    cell = payload["cell"]
    fields |= {"long": cell["style"] == "long", "label": cell["label"]}
    return fields | {"was": payload["was"], "now": cell["words"] or cell["value"]}


def _label(character: Character, viewer: Viewer, address: str) -> str:
    """Return the label of the field, row or list. Raises Invalid for unknown ones, and the same for those the viewer
    may not see.
    """
    unknown = Invalid(_("This sheet has no such field."), field="field")
    rows, row = address.partition("/")[::2]
    kind = character.rules.lists.get(rows)
    try:
        visibility = kind.visibility if kind else character.place(address).visibility
        if visibility not in character.visibilities(viewer):
            raise unknown
        if kind and "/" not in row:
            return title(kind, character.rules.row(character.values, rows, row)[kind.title]) if row else str(kind.label)
        return character.label(address)
    except SheetError:
        raise unknown from None


# Marking what the table has in sight of a character, and the party as it is now.


AT_ONCE = tuple(str(by) for by in range(1, 13))
"""The amounts by which a click may change a count: up to the most boxes in a row (static/js/marks.js)."""


@require_GET
@member_view(Role.SPECTATOR)
def party(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Show the content of #party on the table page, for a page that has an outdated one; to a GM their NPCs as well."""
    hand = hand_of(viewer, request.GET.get(CHOSEN, "")) if viewer.is_gm else None
    return render(
        request, "characters/_party_now.html", {"party": party_of(viewer), "role": viewer.role.value, "hand": hand}
    )


@require_GET
@member_view(Role.PLAYER)
def character_in_play(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """Show everything about one of the party in play; without scripts, redirect to the sheet."""
    current = writable(viewer, character_id)
    if not getattr(request, "htmx", None):
        return redirect("character", viewer.campaign.slug, current.pk)
    context = {"panel": in_full(current, viewer), "campaign": viewer.campaign}
    return render(request, "characters/_party_panel.html", context)


@require_http_methods(["GET", "POST"])
@member_view(Role.PLAYER)
def character_marks(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    """POST marks one resource `less`, another `more`, or both, `by` so much (default 1). GET shows the table's dialog
    for a resource that needs a choice; without scripts that is done on the sheet.
    """
    if request.method == "GET":
        return _asked(request, viewer, character_id)
    said = request.POST.get("by", "1")
    by = int(said) if said in AT_ONCE else 0
    named = {way: request.POST.get(way, "") for way in ("less", "more")}
    moves = {name: by if way == "more" else -by for way, name in named.items() if name}
    if not (moves and by):
        raise Invalid(_("This can’t be marked here."))
    # Whose it is and whether they know of it is asked under the lock.
    mark_resources(viewer.by, Character(pk=character_id), moves, key=request_key(request))
    return done(request, "character", viewer.campaign.slug, character_id)


def _asked(request: HttpRequest, viewer: Viewer, character_id: UUID) -> HttpResponse:
    current = writable(viewer, character_id)
    if not getattr(request, "htmx", None):
        return redirect("character", viewer.campaign.slug, current.pk)
    try:
        resource = told.named(current.rules, request.GET.get("resource", ""))
    except SheetError as error:
        raise Invalid(error.message) from None
    item = resource_item(current, replace(resource, figure=""), {})
    rows, field = current.rules.lists.get(resource.name), current.rules.fields.get(resource.name)
    context = {
        "viewer": viewer,
        "character": current,
        "item": item,
        "columns": [column_of(current, column, rows.visibility) for column in rows.columns] if rows else [],
        "singular": rows.singular if rows else "",
        "flags": [current.cell(flag) for flag in resource.flags],
        "choices": field.choices if isinstance(field, Choice) else (),
    }
    return render(request, "characters/_marks.html", context)
