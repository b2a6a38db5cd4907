"""The context of a character's page: every field of its sheet that the viewer may see, and its control."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from django.urls import reverse
from django.utils.translation import gettext as _

from campaigns.live import presence as places
from campaigns.models import Viewer
from characters.models import Character
from characters.rulesets import drawn_figure, figures_of
from characters.sheets.common import ABOUT, DISPOSITION
from characters.sheets.fields import Choice, Field, Flag, Link, Marks, Measure, Number, Rows, Text, Value, Visibility
from characters.sheets.sheet import Group
from characters.views.active_character import CHOSEN

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
