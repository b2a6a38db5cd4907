"""The kinds of events of this app (campaigns/kinds.py). In the log all of them are found under one topic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from campaigns.kinds import EventKind, Payload, Place, Sort, Topic, copied, typed
from campaigns.schema import CODE, DATE, NAME, PERSON, TEXT, UID, VALUE, Fields, ListOf, MapOf, Maybe
from characters import figures
from characters.creation import budget_words
from characters.models.ledger import drawn_claim, drawn_entry
from characters.models.templates import kind_words
from characters.reasons import LIMITED, words_of
from characters.sheets import SHEETS
from characters.sheets.sheet import Sheet
from characters.sheets.told import LONG, drawn, field_at, label, marks_of, rows_words

REF: Fields = {"id": UID, "name": NAME}

sheet = partial(EventKind, topic=Topic.SHEET)

# Characters

CARD: Fields = REF | {
    "concept": NAME,
    "whose": Maybe(PERSON),
    "also": ListOf(PERSON),
    "shown": bool,
    "opened": bool,
    "crew": bool,
}
PORTRAIT: Fields = {"character": UID, "colour": CODE, "initial": NAME, "url": NAME}
NAMED: Fields = {"character": REF}

CHARACTER_MADE = sheet("characters.character_made", schema=NAMED | {"card": CARD})
CHARACTER_CHANGED = sheet(
    "characters.character_changed",
    schema=NAMED | {"card": Maybe(CARD), "before": Maybe(CARD), "portrait": Maybe(PORTRAIT)},
)
CHARACTER_RETIRED = sheet("characters.character_retired", schema=NAMED)
CHARACTER_RETURNED = sheet("characters.character_returned", schema=NAMED)
CHARACTER_DIED = sheet("characters.character_died", schema=NAMED)
CHARACTER_DELETED = sheet("characters.character_deleted", schema=NAMED)
PORTRAIT_CHANGED = sheet("characters.portrait_changed", schema=NAMED | {"portrait": PORTRAIT})


def _decided(payload: Payload) -> dict[str, Any]:
    return {"changes": [{**one, "words": budget_words(one["name"])} for one in payload["changes"]]}


def _kept(payload: Payload) -> dict[str, Any]:
    told = payload["template"]
    return {"template": {**told, "kind": kind_words(told["system"], is_crew=told["crew"])}}


TEMPLATE_CHANGED = sheet(
    "characters.template_changed",
    schema={"template": REF | {"system": CODE, "crew": bool, "offered": bool}, "gone": bool},
    describe=_kept,
)
CREATION_CHANGED = sheet(
    "characters.creation_changed",
    schema={"changes": ListOf({"name": CODE, "before": int, "after": int})},
    describe=_decided,
)

# Sheets

TOLD: Fields = {"field": NAME, "value": VALUE, "of": int, "row": NAME, "name": NAME}
"""A value (characters/sheets/told.py)."""

FIGURE: Fields = {"name": NAME, "values": ListOf(VALUE)}
CAUSE: Fields = {"why": TEXT, "cause": CODE, "by_hand": bool, "undoes": CODE, "follows": NAME}
WRITTEN: Fields = NAMED | CAUSE | {"sheet": CODE, "figures": ListOf(FIGURE)}
ROW: Fields = WRITTEN | {
    "rows": CODE,
    "at": int,
    "title": NAME,
}

Found = Iterator[tuple[Place, Any]]


def _sheet(payload: Payload) -> Sheet:
    """Its sheet; one without fields where its rules are not installed any more."""
    return SHEETS.get(payload["sheet"]) or Sheet(payload["sheet"], ())


def _caused(payload: Payload) -> dict[str, Any]:
    """Why a sheet changed, as people read it, and the figures that follow."""
    limited = payload["cause"] == LIMITED.code
    why = f"no more than {label(_sheet(payload), payload['follows'])}" if limited else words_of(payload["cause"])
    return {
        "why": payload["why"] or why,
        "figures": [figures.drawn(payload["sheet"], told) for told in payload["figures"]],
    }


def _changed_field(payload: Payload) -> dict[str, Any]:
    of = _sheet(payload)
    mark, before = drawn(of, payload["mark"]), {**payload["mark"], "value": payload["before"]}
    also = [drawn(of, told) for told in payload["also"]]
    # What a link went to is not told here by its number.
    was = "" if mark["marks"] == "link" else drawn(of, before)["words"] or payload["before"]
    return {"mark": mark, "also": also, "was": was, **_caused(payload)}


def _changed_row(payload: Payload) -> dict[str, Any]:
    of, row = _sheet(payload), payload["row"]
    if "marks" in row:
        row = {**row, "marks": [drawn(of, told) for told in row["marks"]]}
    return {"rows": {"field": payload["rows"], **rows_words(of, payload["rows"])}, "row": row, **_caused(payload)}


def _typed_field(payload: Payload) -> Found:
    yield from _typed_why(payload)
    if _is_long(payload, payload["mark"]) and not payload["undoes"]:
        yield from typed("mark.value", "after", sort=Sort.SHEET)(payload)


def _typed_row(payload: Payload) -> Found:
    yield from _typed_why(payload)
    if payload["undoes"]:
        return
    for at, told in enumerate(payload["row"]["marks"]):
        if _is_long(payload, told):
            yield from typed(f"row.marks.{at}.value", sort=Sort.SHEET)(payload)


def _is_long(payload: Payload, told: Mapping[str, Any]) -> bool:
    field = field_at(_sheet(payload), told["field"])
    return field is not None and marks_of(field) == LONG


def _typed_why(payload: Payload) -> Found:
    """What follows from something else says so in words of the program's own."""
    if payload.get("by_hand"):
        yield from typed("why")(payload)


FIELD_CHANGED = sheet(
    "characters.field_changed",
    schema=WRITTEN | {"mark": TOLD, "also": ListOf(TOLD), "before": VALUE, "after": VALUE},
    describe=_changed_field,
    typed=_typed_field,
    copied=(*copied("why"), *copied("mark.value", "before", "after", sort=Sort.SHEET)),
)
ROW_ADDED = sheet(
    "characters.row_added",
    schema=ROW | {"row": {"id": CODE, "marks": ListOf(TOLD)}},
    describe=_changed_row,
    typed=_typed_row,
    copied=(*copied("why"), *copied("row.marks.*.value", sort=Sort.SHEET)),
)
ROW_REMOVED = sheet(
    "characters.row_removed",
    schema=ROW | {"row": {"id": CODE, "values": MapOf(VALUE)}},
    describe=_changed_row,
    typed=_typed_why,
    copied=(*copied("why"), *copied("row.values.*", sort=Sort.SHEET)),
)
SHEET_MARKED = sheet(
    "characters.sheet_marked", schema=NAMED | {"mark": CODE, "on": bool, "locked": bool, "complete": bool}
)

# Experience and claims

ENTRY: Fields = {
    "id": UID,
    "kind": CODE,
    "label": NAME,
    "amount": int,
    "unit": NAME,
    "words": TEXT,
    "by": PERSON,
    "at": DATE,
    "order": int,
}
PURSE: Fields = {
    "name": CODE,
    "label": NAME,
    "unit": NAME,
    "one": NAME,
    "earns": NAME,
    "have": int,
    "words": NAME,
}
CLAIM: Fields = {"id": UID, "words": NAME, "state": CODE, "by": PERSON, "at": DATE}

entered = partial(
    sheet,
    describe=lambda payload: {"entry": drawn_entry(payload["entry"])},
    schema=NAMED | {"entry": ENTRY, "undoes": CODE, "purses": ListOf(PURSE)},
    copied=copied("entry.words"),
)

XP_AWARDED = entered("characters.xp_awarded", typed=typed("entry.words"))
XP_SPENT = entered("characters.xp_spent")
XP_REFUNDED = entered("characters.xp_refunded")
claimed = partial(
    sheet,
    schema=NAMED | {"claim": CLAIM},
    describe=lambda payload: {"claim": drawn_claim(payload["claim"])},
)

CLAIM_MADE = claimed("characters.claim_made")
CLAIM_DECIDED = claimed("characters.claim_decided")
