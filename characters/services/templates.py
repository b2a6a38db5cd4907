"""Sheets that the GMs keep as templates. Players hear nothing of them; of those offered to them they see the names."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from campaigns.errors import existing
from campaigns.models import Role
from campaigns.models.members import GM
from campaigns.services.log import UnitOfWork, service
from characters.events import TEMPLATE_CHANGED
from characters.models import Character, CharacterTemplate
from characters.services.lookup import get_writable
from characters.sheets.common import LINKS

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
