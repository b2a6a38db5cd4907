"""The kinds of events of this app (campaigns/kinds.py). In the log all of them are found under one topic."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from campaigns.kinds import EventKind, Payload, Place, Sort, Topic, copied, typed
from campaigns.schema import CODE, DATE, NAME, PERSON, TEXT, UID, VALUE, Fields, ListOf, MapOf, Maybe

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
TEMPLATE_CHANGED = sheet(
    "characters.template_changed",
    schema={"template": REF | {"kind": NAME, "offered": bool}, "gone": bool},
)
CREATION_CHANGED = sheet(
    "characters.creation_changed",
    schema={"changes": ListOf({"name": CODE, "words": NAME, "before": int, "after": int})},
)

# Sheets

LONG = "long"
MARK: Fields = {
    "field": NAME,
    "label": NAME,
    "value": VALUE,
    "of": int,
    "marks": CODE,
    "words": NAME,
}
FIGURE: Fields = {"name": NAME, "label": NAME, "words": NAME}
CAUSE: Fields = {"why": TEXT, "by_hand": bool, "undoes": CODE, "follows": NAME}
WRITTEN: Fields = NAMED | CAUSE | {"figures": ListOf(FIGURE)}
ROW: Fields = WRITTEN | {
    "rows": {"field": CODE, "label": NAME, "singular": NAME},
    "at": int,
    "title": NAME,
}

Found = Iterator[tuple[Place, Any]]


def _typed_field(payload: Payload) -> Found:
    yield from _typed_why(payload)
    if _is_long(payload.get("mark")) and not payload.get("undoes"):
        yield from typed("mark.value", "after", sort=Sort.SHEET)(payload)


def _typed_row(payload: Payload) -> Found:
    yield from _typed_why(payload)
    row = payload.get("row")
    marks = row.get("marks") if isinstance(row, dict) and not payload.get("undoes") else None
    for at, mark in enumerate(marks if isinstance(marks, list) else ()):
        if _is_long(mark):
            yield from typed(f"row.marks.{at}.value", sort=Sort.SHEET)(payload)


def _typed_why(payload: Payload) -> Found:
    """What follows from something else says so in words of the program's own."""
    if payload.get("by_hand"):
        yield from typed("why")(payload)


def _is_long(mark: object) -> bool:
    return isinstance(mark, dict) and mark.get("marks") == LONG


FIELD_CHANGED = sheet(
    "characters.field_changed",
    schema=WRITTEN | {"mark": MARK, "also": ListOf(MARK), "before": VALUE, "after": VALUE, "was": NAME},
    typed=_typed_field,
    copied=(*copied("why"), *copied("mark.value", "before", "after", "was", sort=Sort.SHEET)),
)
ROW_ADDED = sheet(
    "characters.row_added",
    schema=ROW | {"row": {"id": CODE, "marks": ListOf(MARK)}},
    typed=_typed_row,
    copied=(*copied("why"), *copied("row.marks.*.value", sort=Sort.SHEET)),
)
ROW_REMOVED = sheet(
    "characters.row_removed",
    schema=ROW | {"row": {"id": CODE, "values": MapOf(VALUE)}},
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
    "kind_words": NAME,
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
CLAIM: Fields = {"id": UID, "words": NAME, "state": CODE, "state_words": NAME, "by": PERSON, "at": DATE}

entered = partial(
    sheet,
    schema=NAMED | {"entry": ENTRY, "undoes": CODE, "purses": ListOf(PURSE)},
    copied=copied("entry.words"),
)

XP_AWARDED = entered("characters.xp_awarded", typed=typed("entry.words"))
XP_SPENT = entered("characters.xp_spent")
XP_REFUNDED = entered("characters.xp_refunded")
CLAIM_MADE = sheet("characters.claim_made", schema=NAMED | {"claim": CLAIM})
CLAIM_DECIDED = sheet("characters.claim_decided", schema=NAMED | {"claim": CLAIM})
