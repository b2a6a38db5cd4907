"""What can be rolled of a sheet, and how one finds it by what somebody typed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from characters.sheets.fields import SHORTENED, Number, SheetError
from characters.sheets.sheet import Sheet, Values


@dataclass(frozen=True)
class Trait:
    """Something that can be rolled: `name` is the address of its rating, `label` what it is called on this sheet."""

    name: str
    label: str
    rating: int
    ten_maximum: bool = False


def traits(sheet: Sheet, values: Values) -> list[Trait]:
    """Return all that can be rolled, fields before rows."""
    numbers = [
        Trait(name, field.label, sheet.number(values, name), field.ten_maximum)
        for name, field in sheet.fields.items()
        if isinstance(field, Number) and field.rollable
    ]
    for name, rows in sheet.lists.items():
        if rows.trait:
            numbers += [
                Trait(f"{name}/{row['id']}/{rows.trait}", row[rows.title], row[rows.trait])
                for row in sheet.rows(values, name)
            ]
    return numbers


def find(sheet: Sheet, text: str, values: Values, *, among: Callable[[Trait], bool] | None = None) -> Trait:
    """Return the trait that somebody means: by address, name or label, or by how one of them begins, in any case.

    `among` says which come into question. Raises SheetError that names the ones it may have been.
    """
    candidates = [trait for trait in traits(sheet, values) if among is None or among(trait)]
    shown = text.strip()[:SHORTENED]
    for trait in candidates:
        if trait.name == text.strip():
            return trait
    wanted = folded(text)
    called: dict[str, list[Trait]] = {}
    for trait in candidates:
        called.setdefault(folded(trait.label), []).append(trait)
    begun = called.get(wanted) or [
        trait for name, known in called.items() if wanted and name.startswith(wanted) for trait in known
    ]
    if len(begun) == 1:
        return begun[0]
    if begun:
        meant = _one_of([trait.label for trait in begun[:5]])
        raise SheetError(f"“{shown}” may be {meant}. Write more of it.", field=shown)
    near = [known[0].label for known in _near(wanted, called)]
    notification = f" Did you mean {_one_of(near)}?" if near else ""
    raise SheetError(f"There is no trait called “{shown}”.{notification}", field=shown)


def folded(text: str) -> str:
    """Return a name as it is compared: letters and digits alone, in one case."""
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def _near(wanted: str, called: Mapping[str, list[Trait]]) -> list[list[Trait]]:
    return [called[name] for name in get_close_matches(wanted[:SHORTENED], called, n=3, cutoff=0.6)]


def _one_of(labels: Sequence[str]) -> str:
    """ "A", "A or B", "A, B or C"."""
    return labels[0] if len(labels) == 1 else f"{', '.join(labels[:-1])} or {labels[-1]}"
