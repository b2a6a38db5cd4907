"""The kinds of events of this app (campaigns/kinds.py). In the log all of them are found under one topic."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from django.utils.translation import gettext as _

from campaigns.kinds import Changed, EventKind, JsonPath, Part, Payload, TextCategory, Topic, copied, typed
from characters import payloads
from characters.ledger import claimed_words, drawn_balance, drawn_claim, drawn_entry
from characters.models.characters import kind_words
from characters.models.ledger import as_worded
from characters.reasons import LIMITED, words_of
from characters.rulesets import budget_words, drawn_figure, sheet_with, state_words
from characters.sheets import SHEETS
from characters.sheets.sheet import Sheet
from characters.sheets.told import (
    LONG,
    drawn,
    field_at,
    figure_in_sight,
    in_sight,
    label,
    label_of,
    rows_words,
    shown_columns,
    style_of,
    title,
)

# Upgrades of older versions' payloads about sheets, ledgers and claims (EventKind.today).
#
# Each leaves payloads of the newer form as they are: an event does not say which version wrote it.


NUMBER = re.compile(r"-?\d+")


def written_since_0_1_0(payload: Payload) -> Payload:
    """Upgrade a payload of 0.1.0, which called a cell a mark, and wrote what was claimed into `why`."""
    today = {"claimed": None, **payload}
    if "mark" in today:
        today["cell"] = today.pop("mark")
    if "marks" in (row := today.get("row") or {}):
        today["row"] = {("cells" if name == "marks" else name): value for name, value in row.items()}
    return today


def entered_since_0_1_0(payload: Payload) -> Payload:
    """Upgrade a payload of 0.1.0, which stored a ledger in readable words: its entry's words become the reason."""
    if "purses" not in payload:
        return payload
    today = dict(payload)
    balances, entry = today.pop("purses"), payload["entry"]
    named = {balance["label"]: balance["name"] for balance in balances}
    sheet = sheet_with({name: label for label, name in named.items()})
    kept = {name: value for name, value in entry.items() if name not in ("label", "unit", "words")}
    return today | {
        "sheet": sheet,
        "entry": kept | {"currency": named[entry["label"]], "reason": entry["words"], "claimed": None, "bought": None},
        "balances": [_balance(balance) for balance in balances],
    }


def _balance(balance: Mapping[str, Any]) -> dict[str, Any]:
    numbers = [int(number) for number in NUMBER.findall(balance["words"])]
    return {"currency": balance["name"], "have": balance["have"], "numbers": numbers}


def claimed_since_0_1_0(payload: Payload) -> Payload:
    """Upgrade a payload of 0.1.0, which stored a claim only in words; they are kept as they are."""
    claim = payload["claim"]
    if "words" not in claim:
        return payload
    kept = {name: value for name, value in claim.items() if name != "words"}
    return {"sheet": "", **payload, "claim": kept | as_worded(claim["words"])}


sheet = partial(EventKind, topic=Topic.SHEET)

# Characters

CHARACTER_MADE = sheet("characters.character_made", schema=payloads.CharacterMade)
CHARACTER_CHANGED = sheet("characters.character_changed", schema=payloads.CharacterChanged)
CHARACTER_RETIRED = sheet("characters.character_retired", schema=payloads.OfCharacter)
CHARACTER_RETURNED = sheet("characters.character_returned", schema=payloads.OfCharacter, drawn_as=CHARACTER_RETIRED)
CHARACTER_DIED = sheet("characters.character_died", schema=payloads.OfCharacter, drawn_as=CHARACTER_RETIRED)
CHARACTER_DELETED = sheet("characters.character_deleted", schema=payloads.OfCharacter, drawn_as=CHARACTER_RETIRED)
PORTRAIT_CHANGED = sheet("characters.portrait_changed", schema=payloads.PortraitChanged)


def _kept(payload: Payload) -> dict[str, Any]:
    template = payload["template"]
    return {"template": {**template, "kind": kind_words(template["system"], is_crew=template["crew"])}}


TEMPLATE_CHANGED = sheet(
    "characters.template_changed",
    schema=payloads.TemplateChanged,
    describe=_kept,
)
CREATION_CHANGED = sheet(
    "characters.creation_changed",
    schema=payloads.CreationChanged,
    describe=lambda payload: {
        "changes": [{**change, "words": budget_words(change["name"])} for change in payload["changes"]]
    },
)

# Sheets

Found = Iterator[tuple[JsonPath, Any]]


def _sheet(payload: Payload) -> Sheet:
    """Return the payload's sheet; one without fields if its rules are no longer installed."""
    return SHEETS.get(payload["sheet"]) or Sheet(payload["sheet"], ())


def _caused(payload: Payload) -> dict[str, Any]:
    """Return the words for why a sheet changed, and the figures that follow; `figures_in_sight` are those that the
    table shows.
    """
    drawn_figures = [drawn_figure(payload["sheet"], told_figure) for told_figure in payload["figures"]]
    of = _sheet(payload)
    return {
        "why": payload["why"] or _why(payload),
        "became": state_words(payload["sheet"], payload.get("states") or ()),
        "figures": drawn_figures,
        "figures_in_sight": [figure for figure in drawn_figures if figure_in_sight(of, figure["name"])],
    }


def _why(payload: Payload) -> str:
    if claimed := payload["claimed"]:
        return claimed_words(claimed["sheet"], claimed)
    if payload["cause"] == LIMITED.code:
        return _("no more than {field}").format(field=label(_sheet(payload), payload["follows"]))
    return words_of(payload["cause"])


def _changed_field(payload: Payload) -> dict[str, Any]:
    of = _sheet(payload)
    cell, before = drawn(of, payload["cell"]), {**payload["cell"], "value": payload["before"]}
    also = [drawn(of, cell_beside) for cell_beside in payload["also"]]
    # What a link went to is not told here by its number.
    before = drawn(of, before)
    was = "" if cell["style"] == "link" else before["words"] or before["value"]
    # Beside the name a value is called what its row of boxes is called.
    called = {resource.name: label_of(of, resource) for resource in of.layout.resources}
    seen = [
        each | {"label": called.get(each["field"], each["label"])}
        for each in (cell, *also)
        if in_sight(of, each["field"])
    ]
    return {"cell": cell, "also": also, "was": was, "cells_in_sight": seen, **_caused(payload)}


def _changed_row(payload: Payload) -> dict[str, Any]:
    of, row = _sheet(payload), payload["row"]
    if "cells" in row:
        row = {**row, "cells": [drawn(of, cell) for cell in row["cells"]]}
    rows = {"field": payload["rows"], **rows_words(of, payload["rows"])}
    kind = of.lists.get(payload["rows"])
    row_title = title(kind, payload["title"]) if kind else payload["title"]
    return {
        "rows": rows,
        "row": row,
        "title": row_title,
        "row_in_sight": _row_in_sight(of, payload["rows"], row),
        **_caused(payload),
    }


def _row_in_sight(of: Sheet, name: str, row: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the columns of a row that the table shows beside the character's name; None if it shows no such rows."""
    if name not in of.lists or not in_sight(of, f"{name}/{row['id']}/{of.lists[name].title}"):
        return None
    return {"id": row["id"], "cells": shown_cells(of, name, row.get("cells", ()))}


def shown_cells(of: Sheet, name: str, cells: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    columns = shown_columns(of.lists[name])
    return [cell for cell in cells if cell["field"].rpartition("/")[2] in columns]


def _typed_field(payload: Payload) -> Found:
    yield from _typed_why(payload)
    if _is_long(payload, payload["cell"]) and not payload["undoes"]:
        yield from typed("cell.value", "after", sort=TextCategory.SHEET)(payload)


def _typed_row(payload: Payload) -> Found:
    yield from _typed_why(payload)
    if payload["undoes"]:
        return
    for at, cell in enumerate(payload["row"]["cells"]):
        if _is_long(payload, cell):
            yield from typed(f"row.cells.{at}.value", sort=TextCategory.SHEET)(payload)


def _is_long(payload: Payload, cell: Mapping[str, Any]) -> bool:
    field = field_at(_sheet(payload), cell["field"])
    return field is not None and style_of(field) == LONG


def _typed_why(payload: Payload) -> Found:
    """Yield the typed reason; reasons of changes that follow from others are not typed."""
    if payload.get("by_hand"):
        yield from typed("why")(payload)


written = partial(sheet, upgrades=(written_since_0_1_0,))


def _field_on_card(payload: Payload) -> Changed | None:
    what = f"{payload['character']['id']} {payload['cell']['field']}"
    return None if payload["quiet"] else Changed(what, payload["before"], payload["after"])


def _row_on_card(payload: Payload) -> Changed | None:
    what = f"{payload['character']['id']} {payload['rows']['field']} {payload['row']['id']}"
    there = (None, payload["title"]) if "cells" in payload["row"] else (payload["title"], None)
    return None if payload["quiet"] else Changed(what, *there)


FIELD_CHANGED = written(
    "characters.field_changed",
    schema=payloads.FieldChanged,
    describe=_changed_field,
    typed=_typed_field,
    copied=(*copied("why"), *copied("cell.value", "before", "after", sort=TextCategory.SHEET)),
    part=Part.STEP,
    changed=_field_on_card,
)
ROW_ADDED = written(
    "characters.row_added",
    schema=payloads.RowAdded,
    describe=_changed_row,
    typed=_typed_row,
    copied=(*copied("why"), *copied("row.cells.*.value", sort=TextCategory.SHEET)),
    part=Part.STEP,
    changed=_row_on_card,
)
ROW_REMOVED = written(
    "characters.row_removed",
    schema=payloads.RowRemoved,
    describe=_changed_row,
    typed=_typed_why,
    copied=(*copied("why"), *copied("row.values.*", sort=TextCategory.SHEET)),
    drawn_as=ROW_ADDED,
    part=Part.STEP,
    changed=_row_on_card,
)
SHEET_MARKED = sheet("characters.sheet_marked", schema=payloads.SheetMarked)

# Experience and claims


def _draw_entry(payload: Payload) -> dict[str, Any]:
    of = payload["sheet"]
    balances = [drawn_balance(of, balance) for balance in payload["balances"]]
    return {"entry": drawn_entry(of, payload["entry"]), "balances": balances}


def _entry_on_card(payload: Payload) -> Changed | None:
    amount = payload["entry"]["amount"]
    there = (amount, 0) if payload["undoes"] else (0, amount)
    return Changed(f"entry {payload['undoes'] or payload['entry']['id']}", *there)


entered = partial(
    sheet,
    describe=_draw_entry,
    schema=payloads.Entered,
    copied=copied("entry.reason"),
    upgrades=(entered_since_0_1_0,),
    part=Part.STEP,
    changed=_entry_on_card,
)
claimed = partial(
    sheet,
    upgrades=(claimed_since_0_1_0,),
    schema=payloads.ClaimChanged,
    describe=lambda payload: {"claim": drawn_claim(payload["sheet"], payload["character"], payload["claim"])},
)

XP_AWARDED = entered("characters.xp_awarded", typed=typed("entry.reason"))
XP_SPENT = entered("characters.xp_spent", drawn_as=XP_AWARDED)
XP_REFUNDED = entered("characters.xp_refunded", drawn_as=XP_AWARDED)
CLAIM_MADE = claimed("characters.claim_made")
CLAIM_DECIDED = claimed("characters.claim_decided")
