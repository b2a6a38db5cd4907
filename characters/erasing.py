"""Where sheets hold what somebody typed (campaigns/services/erasing.py): texts in Markdown, and reasons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from campaigns.models import Membership
from campaigns.services.erasing import Facts, Place, Rows, Sort, Texts, Typed, copied, put, typed
from characters.models import Character, CharacterTemplate, LedgerEntry
from characters.services.ledger import AWARDED, REFUNDED, SPENT
from characters.services.writing import FIELD_CHANGED, ROW_ADDED, ROW_REMOVED

LONG = "long"
COLUMNS = ("public", "sheet", "private", "secret")

Found = Iterator[tuple[Place, Any]]


def _field(facts: Facts) -> Found:
    yield from _why(facts)
    if _is_long(facts.get("mark")) and not facts.get("undoes"):
        yield from typed("mark.value", "after", sort=Sort.SHEET)(facts)


def _row(facts: Facts) -> Found:
    yield from _why(facts)
    row = facts.get("row")
    marks = row.get("marks") if isinstance(row, dict) and not facts.get("undoes") else None
    for at, mark in enumerate(marks if isinstance(marks, list) else ()):
        if _is_long(mark):
            yield from typed(f"row.marks.{at}.value", sort=Sort.SHEET)(facts)


def _why(facts: Facts) -> Found:
    """What follows from something else says so in words of the program's own."""
    if facts.get("by_hand"):
        yield from typed("why")(facts)


def _is_long(mark: object) -> bool:
    return isinstance(mark, dict) and mark.get("marks") == LONG


TYPED: dict[str, Typed] = {
    FIELD_CHANGED: _field,
    ROW_ADDED: _row,
    ROW_REMOVED: _why,
    AWARDED: typed("entry.words"),
}

COPIED: dict[str, tuple[Place, ...]] = {
    FIELD_CHANGED: (*copied("why"), *copied("mark.value", "before", "after", "was", sort=Sort.SHEET)),
    ROW_ADDED: (*copied("why"), *copied("row.marks.*.value", sort=Sort.SHEET)),
    ROW_REMOVED: (*copied("why"), *copied("row.values.*", sort=Sort.SHEET)),
    **dict.fromkeys([AWARDED, SPENT, REFUNDED], copied("entry.words")),
}


def _erase_rows(member: Membership, texts: Texts) -> None:
    for character in Character.objects.filter(campaign=member.campaign_id):
        put(character, **{name: texts.outside(getattr(character, name), Sort.SHEET) for name in COLUMNS})
    for template in CharacterTemplate.objects.filter(campaign=member.campaign_id):
        put(template, values=texts.outside(template.values, Sort.SHEET))
    for entry in LedgerEntry.objects.filter(character__campaign=member.campaign_id):
        put(entry, words=texts.without(entry.words), done=texts.outside(entry.done, Sort.SHEET))


ROWS: list[Rows] = [_erase_rows]
