"""The context of the guided page: the state of each pot, and the errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from characters.creation.budget import Budget, Reckoning, Section
from characters.forms.creation import GuidedForm
from characters.services.creation import sheet_of
from characters.sheets.fields import SheetError

NO_KEY = UUID(int=0)
"""Replaces keys in calculations that create nothing and need no ids."""


def standing(form: GuidedForm, budget: Budget, *, live: bool = False) -> dict[str, Any]:
    """Return {"pots": all, "apart": faults of no section, "sections": [{"block", "pot", "shared", "faults"}], "steps":
    [{"label", "sections"}], the same sections by step} for the templates. A pot `shared` by several sections is shown once,
    above all of them.

    A fault is {"field": its name on the form, or "", "message"}. With `live`, on an open page, faults include those of
    single numbers, which are otherwise shown at their fields.
    """
    reckoning = _reckoned(form, budget)
    pots = {pot.name: pot for pot in reckoning.pots}
    drawn = Counter(block.section.draws for block in form.blocks())
    sections = [
        {
            "block": block,
            "pot": pots.get(block.section.draws),
            "shared": drawn[block.section.draws] > 1,
            "faults": _faults(form, block.section, reckoning, live=live),
        }
        for block in form.blocks()
    ]
    placed = {name for block in form.blocks() for name in _places(block.section, reckoning)}
    apart = [message for name, message in reckoning.faults.items() if name not in placed]
    shown = {"pots": reckoning.pots, "apart": apart, "sections": sections, "live": live}
    return shown if live else shown | {"steps": _steps(sections)}


def _steps(sections: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the steps: adjacent sections marked so form one; without such marks, each is one. The first step has the card."""
    firsts = [section["block"].section.first for section in sections]
    begins = [at for at, first in enumerate(firsts) if first or not any(firsts)]
    edges = [0, *begins, len(sections)]
    parts = [sections[begin:end] for begin, end in pairwise(edges)]
    labels = [[str(section["block"].section.label) for section in part] for part in parts]
    labels[0].insert(0, _("Card"))
    return [{"label": ", ".join(words), "sections": part} for words, part in zip(labels, parts, strict=True)]


def rows_added(form: GuidedForm, rows: str) -> list[list[Any]]:
    """Return the rows that a form has more than the page that asked for more."""
    rows_drawn = next((block.rows for block in form.blocks() if block.section.rows == rows), [])
    return rows_drawn[form.had.get(rows, 0) :]


def _reckoned(form: GuidedForm, budget: Budget) -> Reckoning:
    values: dict[str, Any] = {}
    if form.is_bound:
        form.is_valid()
        values = form.values()
    try:
        return budget.reckon(budget.completed(sheet_of(budget, values, NO_KEY)))
    except SheetError as error:
        return Reckoning(budget.reckon(budget.completed({})).pots, {error.field: error.message})


def _places(section: Section, reckoning: Reckoning) -> list[str]:
    return [name for name in reckoning.faults if _is_of(section, name)]


def _faults(form: GuidedForm, section: Section, reckoning: Reckoning, *, live: bool) -> list[dict[str, str]]:
    wrong = [name for name in section.fields if name in form.errors] if live else []
    said = [{"field": name, "message": str(message)} for name in wrong for message in form.errors[name]]
    names = _places(section, reckoning)
    return said + [{"field": form.place(name), "message": str(reckoning.faults[name])} for name in names]


def _is_of(section: Section, name: str) -> bool:
    return name == section.draws or name.split("/")[0] in (*section.fields, section.rows)
