"""What a GM asks for binds the roll that answers it: the GM's terms win, and whoever saw others looks again before dice fall."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

from campaigns.errors import Conflict, Invalid
from rolls.table_rules import RollInput, Terms

A = TypeVar("A", bound=RollInput)

LONGEST_NAME = 120
WORDS = {
    "other": "other adjustments",
    "resisting": "answer to the consequence",
    "pool": "traits",
    "versus": "other side",
}
"""What the fields of roll forms are called, where their names do not say it."""


def as_requested(ask: A, terms: Mapping[str, Any]) -> A:
    """The ask with all that the GM has set. Raises Conflict at a field that says something else."""
    for field, now in terms.items():
        check_seen(field, getattr(ask, field), now)
    return replace(ask, **terms)


def check_seen(field: str, seen: object, now: object) -> None:
    """Raise Conflict where the roller saw something else than what is asked for now. Words that were left out are the GM's."""
    if seen != "" and _compared(seen) != _compared(now):
        called = WORDS.get(field, field)
        asked = f"the usual {called}" if now is None else f"{called} {_said(now)}"
        raise Conflict(f"By now the GM asks for {asked}. Look at it, then roll again.", field=field, current=now)


def named(**names: str) -> Terms:
    """Those of the names that the GM has said. Raises Invalid for one of more than 120 characters."""
    said = {field: " ".join(name.split()) for field, name in names.items()}
    for field, name in said.items():
        if len(name) > LONGEST_NAME:
            raise Invalid(f"Say it in at most {LONGEST_NAME} characters.", field=field)
    return {field: name for field, name in said.items() if name}


def _said(value: object) -> object:
    """Codes as people write them."""
    return value.replace("_", " ") if isinstance(value, str) else value


def _compared(value: object) -> object:
    """Names are the same however they are written."""
    return " ".join(value.replace("_", " ").casefold().split()) if isinstance(value, str) else value
