"""New characters with something on their sheet already: made within the campaign's budget, or of a template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.errors import Forbidden, Invalid
from campaigns.models import Campaign, Role
from campaigns.services.log import UnitOfWork, service
from characters.creation.budget import Budget, row_id
from characters.events import CREATION_CHANGED
from characters.models import Character, CharacterTemplate
from characters.rulesets import CREATION, budget_of, budgets, given
from characters.services.cards import Card, drafted, introduce
from characters.services.templates import kept
from characters.sheets.fields import SheetError
from characters.sheets.sheet import Sheet


@service(Role.PLAYER)
def make_guided(
    work: UnitOfWork, card: Card, values: Mapping[str, Any], *, system: str, beyond: bool = False, key: UUID
) -> Character:
    """Make a new character with `values` of the fields that the campaign's budget asks for; rows are lists of columns,
    without ids.

    Raises Invalid for impossible values, and for more than the budget has, unless a GM goes `beyond` it.
    """
    if beyond and not work.by.is_gm:
        raise Forbidden(_("Only a GM can go over budget."))
    character = drafted(work, card, system=system, is_crew=False)
    budget = budget_of(work.campaign, character.system)
    try:
        held = budget.completed(sheet_of(budget, values, work.key))
        faults = {} if beyond else budget.reckon(held).faults
    except SheetError as error:
        raise Invalid(error.message, field=error.field or None) from None
    for place, message in faults.items():
        raise Invalid(message, field=place)
    character.hold(held)
    introduce(work, character, card)
    return character


@service(Role.PLAYER)
def make_from_template(work: UnitOfWork, template: CharacterTemplate, card: Card, *, key: UUID) -> Character:
    """Make a new character with a template's sheet. Raises NotFound for a template that the member may not use."""
    current = kept(work, template)
    character = drafted(work, card, system=current.system, is_crew=current.is_crew)
    current.put_on(character)
    introduce(work, character, card)
    return character


@service(Role.GM)
def change_creation(work: UnitOfWork, points: Mapping[str, Mapping[str, int]], *, key: UUID) -> Campaign:
    """Change the budgets of new characters. `points` maps systems to settings of their budgets; others stay.

    Existing characters stay as they are. Raises Invalid for unknown settings, and impossible numbers.
    """
    now = given(work.campaign, points)
    changes = [_change(system, name, now, to) for system, named in points.items() for name, to in named.items()]
    changes = [change for change in changes if change["before"] != change["after"]]
    if changes:
        decided = work.campaign.settings.get(CREATION, {}) | {name: now[name] | dict(points[name]) for name in points}
        work.campaign.settings = work.campaign.settings | {CREATION: decided}
        work.campaign.save(update_fields=["settings"])
        work.record(CREATION_CHANGED, {"changes": changes})
    return work.campaign


def _change(system: str, name: str, now: Mapping[str, Mapping[str, int]], to: int) -> dict[str, Any]:
    setting = budgets()[system].settings().get(name)
    if setting is None or not setting.least <= to <= setting.most:
        raise Invalid(_("Enter a number within the limits."), field=f"{system}.{name}")
    return {"name": f"{system}.{name}", "before": now[system][name], "after": to}


def sheet_of(budget: Budget, values: Mapping[str, Any], key: UUID) -> dict[str, Any]:
    """Return the values of a sheet of what a guided page asks for. Each row gets an id that is this sheet's own. Raises
    SheetError."""
    asked = [name for section in budget.sections() for name in (*section.fields, section.rows) if name]
    for name in values:
        if name not in asked:
            raise SheetError(_("That isn’t asked for here."), field=name)
    return budget.sheet.cleaned({name: _with_ids(budget.sheet, name, value, key) for name, value in values.items()})


def _with_ids(sheet: Sheet, name: str, value: Any, key: UUID) -> Any:
    if name not in sheet.lists:
        return value
    if len(value) > sheet.lists[name].most:
        most = sheet.lists[name].most
        raise SheetError(
            ngettext("Only {count} row fits.", "Only {count} rows fit.", most).format(count=most), field=name
        )
    return [{**row, "id": row_id(number, key)} for number, row in enumerate(value)]
