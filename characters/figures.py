"""Figures that follow from a sheet by the rules: never stored, reckoned anew wherever they are shown.

This app knows no rules: the app above registers, once, what reckons the figures of a kind of sheet. It is given what stands on
the open sheet alone, so that no figure can betray what is secret.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from campaigns.models import Campaign
from characters.models import Character
from characters.sheets.sheet import Values


@dataclass(frozen=True)
class Figure:
    """`name` is a word ("movement"), or the address of the row it belongs to ("skills/4f2a"); `words` is the figure."""

    name: str
    label: str
    words: str


Derive = Callable[[Values, Campaign], Sequence[Figure]]

_by_sheet: dict[str, Derive] = {}


def register(sheet: str, derive: Derive) -> None:
    """`sheet` is the name of one of `characters.sheets.SHEETS`."""
    _by_sheet[sheet] = derive


def figures_of(character: Character) -> list[dict[str, Any]]:
    """[{"name", "label", "words"}], as facts and templates hold them; none where no rules reckon any."""
    derive = _by_sheet.get(character.rules.name)
    return [asdict(figure) for figure in derive(character.sheet, character.campaign)] if derive else []
