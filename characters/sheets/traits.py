"""The rollable traits of a sheet, and how a typed text finds one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from campaigns import text as text_rules
from characters.sheets.fields import SHORTENED, Number, SheetError
from characters.sheets.sheet import Sheet, Values
from languages.letters import normalised
from languages.text import gettext as _

MOST_NAMED = 5
"""Traits that an error lists at most."""


@dataclass(frozen=True)
class Trait:
    """A rollable value: `name` is the address of its rating, `label` its name on this sheet."""

    name: str
    label: str
    rating: int
    ten_maximum: bool = False


def traits(sheet: Sheet, values: Values) -> list[Trait]:
    """Return all rollable traits, fields before rows."""
    numbers = [
        Trait(name, str(field.label), sheet.number(values, name), field.ten_maximum)
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
    """Return the trait that a text means: by address, by its label in the active language, by its field's name, or by
    the beginning of one of these, in any case, with or without accents.

    `among` limits the traits. Raises SheetError that names the possible ones.
    """
    candidates = [trait for trait in traits(sheet, values) if among is None or among(trait)]
    said = normalised(text).strip()
    shown = said[:SHORTENED]
    spelt = [trait for trait in candidates if said in (trait.name, trait.label)]
    if len(spelt) == 1:
        return spelt[0]
    wanted = folded(text)
    called, fields = (
        _by_name(candidates, lambda trait: trait.label),
        _by_name(_of_fields(candidates), lambda trait: trait.name),
    )
    begun = called.get(wanted) or fields.get(wanted) or _begun(wanted, called) or _begun(wanted, fields)
    if len(begun) == 1:
        return begun[0]
    if begun:
        meant = _one_of([trait.label for trait in begun[:MOST_NAMED]])
        message = _("“{name}” could be {traits}. Type more of it.").format(name=shown, traits=meant)
        raise SheetError(message, field=shown)
    if near := [known[0].label for known in _near(wanted, called)]:
        message = _("No trait called “{name}”. Did you mean {traits}?").format(name=shown, traits=_one_of(near))
    elif known_labels := [known[0].label for known in called.values()][:MOST_NAMED]:
        message = _("No trait called “{name}”. Try {traits}.").format(name=shown, traits=_one_of(known_labels))
    else:
        message = _("No trait called “{name}”.").format(name=shown)
    raise SheetError(message, field=shown)


def folded(text: str) -> str:
    """Return a name as it is compared: letters and digits alone, in one case, without accents."""
    return "".join(text_rules.folded(text))


def _by_name(candidates: Iterable[Trait], name: Callable[[Trait], str]) -> dict[str, list[Trait]]:
    called: dict[str, list[Trait]] = {}
    for trait in candidates:
        called.setdefault(folded(name(trait)), []).append(trait)
    return called


def _of_fields(candidates: Iterable[Trait]) -> Iterator[Trait]:
    """Yield the traits that are not rows; a row's name was typed."""
    return (trait for trait in candidates if "/" not in trait.name)


def _begun(wanted: str, called: Mapping[str, list[Trait]]) -> list[Trait]:
    return [trait for name, known in called.items() if wanted and name.startswith(wanted) for trait in known]


def _near(wanted: str, called: Mapping[str, list[Trait]]) -> list[list[Trait]]:
    return [called[name] for name in get_close_matches(wanted[:SHORTENED], called, n=3, cutoff=0.6)]


def _one_of(labels: Sequence[str]) -> str:
    """Return "A", "A or B", "A, B or C"."""
    if len(labels) == 1:
        return labels[0]
    return _("{others} or {last}").format(others=", ".join(labels[:-1]), last=labels[-1])
