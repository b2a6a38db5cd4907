"""Figures that follow from a sheet by the rules: never stored, reckoned anew wherever they are shown.

This app knows no rules: the app above registers, once, what reckons the figures of a kind of sheet, and what they are called. It
is given what stands on the open sheet alone, so that no figure can betray what is secret. Events tell of the figures that change
in numbers and codes; the words are drawn when they are read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from campaigns.models import Campaign
from characters.models import Character
from characters.sheets.sheet import Values


@dataclass(frozen=True)
class Figure:
    """`name` is a word ("movement"), or the address of the row it belongs to ("skills/4f2a"); `values` are numbers and codes."""

    name: str
    values: tuple[int | str | bool, ...]


def _says_nothing(figure: Figure) -> tuple[str, int, int]:
    return "", 0, 0


@dataclass(frozen=True)
class Figures:
    """The figures of a kind of sheet. `words` gives the label of one, "" for that of a row, and its value as people read it.

    `templates` has those, by their names, that are drawn rather than written: from `figure`, as `drawn` gives it. `brief` says of
    one, where there is little room, how somebody is: a word or "", and a bar, how much of what: ("Hurt −1", 2, 7), or 0, 0.
    """

    derive: Callable[[Values, Campaign], Sequence[Figure]]
    words: Callable[[Figure], tuple[str, str]]
    templates: Mapping[str, str] = field(default_factory=dict)
    brief: Callable[[Figure], tuple[str, int, int]] = _says_nothing


Told: TypeAlias = dict[str, Any]
"""{"name", "values"}, as events tell of a figure."""

_by_sheet: dict[str, Figures] = {}


def register(sheet: str, figures: Figures) -> None:
    """`sheet` is the name of one of `characters.sheets.SHEETS`."""
    _by_sheet[sheet] = figures


def figures_of(character: Character) -> list[Told]:
    """All of a character, as events tell of them; none where no rules reckon any."""
    found = _by_sheet.get(character.rules.name)
    derived = found.derive(character.sheet, character.campaign) if found else ()
    return [{"name": figure.name, "values": list(figure.values)} for figure in derived]


def drawn(sheet: str, told: Mapping[str, Any]) -> dict[str, Any]:
    """A figure as templates draw it: {"name", "label", "words", "template", "values", "state", "value", "of"}, the last three
    as `Figures.brief` says; without words where its rules are not installed any more. `template` is "" unless the figure has one
    of its own."""
    shown = {"name": told["name"], "values": told["values"], "label": "", "words": "", "template": ""}
    found = _by_sheet.get(sheet)
    if found is None:
        return shown | {"state": "", "value": 0, "of": 0}
    figure = Figure(told["name"], tuple(told["values"]))
    label, words = found.words(figure)
    state, value, of = found.brief(figure)
    template = found.templates.get(figure.name, "")
    return shown | {"label": label, "words": words, "template": template, "state": state, "value": value, "of": of}
