"""New characters with something on their sheet already: made within the campaign's budget, or of a template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.errors import Forbidden, Invalid, existing
from campaigns.models import Campaign, Role
from campaigns.models.members import GM
from campaigns.services.log import UnitOfWork, service
from characters.creation import Budget, row_id
from characters.events import CREATION_CHANGED, TEMPLATE_CHANGED
from characters.models import Character, CharacterTemplate
from characters.rulesets import CREATION, budget_of, budgets, given
from characters.services.cards import Card, drafted, introduce
from characters.services.sheet_writes import get_writable
from characters.sheets.common import LINKS
from characters.sheets.exchange import EVERYTHING, Brought
from characters.sheets.fields import SheetError, Visibility
from characters.sheets.sheet import Sheet

# Sheets that the GMs keep as templates. Players hear nothing of them; of those offered to them they see the names.


NOT_KEPT = LINKS
"""The lists that a template leaves out: whom a character knows does not apply to others made from it."""


@service(Role.GM)
def keep_template(work: UnitOfWork, character: Character, *, key: UUID) -> CharacterTemplate:
    """Keep a character's sheet as a template, with its secrets, but without private notes, links and portrait."""
    current = get_writable(work, character)
    held = current.public | current.sheet | current.secret
    template = CharacterTemplate.objects.create(
        id=work.key,
        campaign=work.campaign,
        name=current.name,
        concept=current.concept,
        system=current.system,
        is_crew=current.is_crew,
        values={name: value for name, value in held.items() if name not in NOT_KEPT},
        disposition=current.disposition,
    )
    _tell(work, template)
    return template


@service(Role.GM)
def change_template(
    work: UnitOfWork, template: CharacterTemplate, *, name: str, offered: bool, key: UUID
) -> CharacterTemplate:
    """Rename a template, offer it to players, or keep it to the GMs again. Characters made of it stay as they are."""
    current = _found(work, template.pk)
    if (current.name, current.offered) != (name, offered):
        current.name, current.offered = name, offered
        current.save(update_fields=["name", "offered"])
        _tell(work, current)
    return current


@service(Role.GM)
def drop_template(work: UnitOfWork, template_id: UUID, *, key: UUID) -> None:
    """Delete a template. Characters made of it stay as they are."""
    current = _found(work, template_id)
    _tell(work, current, gone=True)
    current.delete()


def kept(work: UnitOfWork, template: CharacterTemplate) -> CharacterTemplate:
    """Return the template as it is under the lock, if the member may use it. Raises NotFound."""
    return existing(CharacterTemplate.objects.open_to(work.by).filter(pk=template.pk).first())


def _found(work: UnitOfWork, template_id: UUID) -> CharacterTemplate:
    return existing(CharacterTemplate.objects.filter(campaign=work.campaign, pk=template_id).first())


def _tell(work: UnitOfWork, template: CharacterTemplate, *, gone: bool = False) -> None:
    payload: dict[str, Any] = {"template": template.payload(), "gone": gone}
    work.record(TEMPLATE_CHANGED, payload, stream=GM, subjects=[template.subject])


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
    return cleaned_sheet(budget.sheet, values, key)


def cleaned_sheet(sheet: Sheet, values: Mapping[str, Any], key: UUID) -> dict[str, Any]:
    """Return the values of a sheet, whose rows come without ids, as lists of columns. Raises SheetError."""
    return sheet.cleaned({name: _with_ids(sheet, name, value, key) for name, value in values.items()})


def _with_ids(sheet: Sheet, name: str, value: Any, key: UUID) -> Any:
    if name not in sheet.lists:
        return value
    if len(value) > sheet.lists[name].most:
        most = sheet.lists[name].most
        raise SheetError(
            ngettext("Only {count} row fits.", "Only {count} rows fit.", most).format(count=most), field=name
        )
    return [{**row, "id": row_id(number, key)} for number, row in enumerate(value)]


# Sheets that come in as files (docs/sheets.md).


def may_bring(by_gm: bool, *, for_oneself: bool) -> frozenset[Visibility]:
    """Return the visibilities that may be imported: a GM's include secrets, and private notes only go to oneself."""
    may = EVERYTHING if by_gm else EVERYTHING - {Visibility.SECRET}
    return may if for_oneself else may - {Visibility.PRIVATE}


@service(Role.PLAYER)
def import_character(work: UnitOfWork, card: Card, brought: Brought, *, key: UUID) -> Character:
    """Make a new character with the sheet of a file. `card` names the owner; who may make it is as for `make_character`.

    Links go to characters of the same name, if all readers of the link know them; else to nobody. Raises Forbidden for
    secrets brought by anyone but a GM, Invalid for values that cannot be on the sheet.
    """
    head = brought.head
    may = may_bring(work.by.is_gm, for_oneself=card.owner in (work.by, None))
    if not {head.sheet.visibility_of(name) for name in brought.values} <= may:
        raise Forbidden(_("This file contains something only a GM or its author can import."))
    character = drafted(work, card, system=head.system, is_crew=head.is_crew)
    if brought.disposition is not None:
        if not character.is_npc:
            raise Invalid(_("disposition: Only NPCs have one. Remove it from the file."), field="file")
        character.disposition = brought.disposition
    character.hold(_linked(work, character, brought))
    introduce(work, character, card)
    return character


def _linked(work: UnitOfWork, character: Character, brought: Brought) -> dict[str, Any]:
    """Return the values, with the links to those there are; an NPC's own sheet, which GMs alone read, may name hidden ones."""
    characters = Character.objects.filter(campaign=work.campaign, deleted_at=None, name__in=set(brought.links.values()))
    gms_alone = character.is_npc and not character.opened
    by_name = {linked.name: linked for linked in characters.order_by("-id") if gms_alone or not linked.is_hidden}
    values, sheet = brought.values, brought.head.sheet
    for address, name in brought.links.items():
        to = by_name.get(name)
        if to and to.is_hidden and sheet.place(address).visibility is Visibility.PUBLIC:
            to = None
        values = sheet.put(values, address, str(to.pk) if to else "")
    return values
