"""Sheets that the GMs keep as templates. Players hear nothing of them; of those offered to them they see the names."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.errors import Missing
from campaigns.models import Role
from campaigns.models.streams import GM
from campaigns.services.log import Table, at_table
from characters.events import TEMPLATE_CHANGED
from characters.models import Character, CharacterTemplate
from characters.services.finding import own
from characters.sheets.common import LINKS

NOT_KEPT = LINKS
"""Whom somebody knows is not what others like them begin with."""


@at_table(Role.GM)
def keep_template(table: Table, character: Character, *, key: UUID) -> CharacterTemplate:
    """Keep a character's sheet as it is now, with its secrets; nobody's private notes, no links, no portrait."""
    found = own(table, character)
    held = found.public | found.sheet | found.secret
    template = CharacterTemplate.objects.create(
        id=table.key,
        campaign=table.campaign,
        name=found.name,
        concept=found.concept,
        system=found.system,
        is_crew=found.is_crew,
        values={name: value for name, value in held.items() if name not in NOT_KEPT},
        disposition=found.disposition,
    )
    _tell(table, template)
    return template


@at_table(Role.GM)
def change_template(
    table: Table, template: CharacterTemplate, *, name: str, offered: bool, key: UUID
) -> CharacterTemplate:
    """Call it something else, offer it to players, or keep it to the GMs again. Characters made of it stay as they are."""
    found = _found(table, template)
    if (found.name, found.offered) != (name, offered):
        found.name, found.offered = name, offered
        found.save(update_fields=["name", "offered"])
        _tell(table, found)
    return found


@at_table(Role.GM)
def drop_template(table: Table, template: CharacterTemplate, *, key: UUID) -> None:
    """Keep it no longer. Characters made of it stay as they are."""
    found = _found(table, template)
    _tell(table, found, gone=True)
    found.delete()


def kept(table: Table, template: CharacterTemplate) -> CharacterTemplate:
    """The template as it is under the lock, for one who may make characters of it. Raises Missing."""
    found = CharacterTemplate.objects.open_to(table.by).filter(pk=template.pk).first()
    if found is None:
        raise Missing
    return found


def _found(table: Table, template: CharacterTemplate) -> CharacterTemplate:
    found = CharacterTemplate.objects.filter(campaign=table.campaign, pk=template.pk).first()
    if found is None:
        raise Missing
    return found


def _tell(table: Table, template: CharacterTemplate, *, gone: bool = False) -> None:
    facts: dict[str, Any] = {"template": template.facts(), "gone": gone}
    table.record(TEMPLATE_CHANGED, facts, stream=GM, about=[template.about])
