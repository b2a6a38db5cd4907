"""Portraits: setting, copying and removing the picture of a character."""

from __future__ import annotations

from hashlib import sha256
from uuid import UUID

from django.utils.translation import gettext as _

from campaigns.errors import Conflict
from campaigns.models import Role
from campaigns.pictures import Portrayal
from campaigns.services.log import UnitOfWork, service
from characters.events import PORTRAIT_CHANGED
from characters.models import Character, Portrait
from characters.services.lookup import get_writable


@service(Role.PLAYER)
def set_portrait(work: UnitOfWork, character: Character, portrayal: Portrayal, *, key: UUID) -> Character:
    """Set a character's portrait, as `campaigns.pictures.portrait` made it of an upload."""
    current = get_writable(work, character)
    picture = sha256(portrayal.image).hexdigest()[: Character.PICTURE]
    if picture != current.picture:
        Portrait.objects.update_or_create(
            character=current, defaults={"image": portrayal.image, "icon": portrayal.icon}
        )
        _tell(work, current, picture)
    return current


@service(Role.PLAYER)
def remove_portrait(work: UnitOfWork, character: Character, *, key: UUID) -> Character:
    """Delete the portrait. Raises Conflict if there is none."""
    current = get_writable(work, character)
    if not current.picture:
        raise Conflict(_("{name}’s portrait is already gone.").format(name=current.name))
    drop_portrait(current)
    _tell(work, current, "")
    return current


def drop_portrait(character: Character) -> None:
    """Forget the bytes; the character's own row is for the caller to save."""
    Portrait.objects.filter(character=character).delete()
    character.picture = ""


def copy_portrait(character: Character, to: Character) -> None:
    """Copy a character's portrait to another."""
    for portrait in Portrait.objects.filter(character=character):
        Portrait.objects.create(character=to, image=portrait.image, icon=portrait.icon)


def _tell(work: UnitOfWork, character: Character, picture: str) -> None:
    character.picture = picture
    character.save(update_fields=["picture"])
    payload = {"character": character.ref, "portrait": character.portrait()}
    work.record(PORTRAIT_CHANGED, payload, stream=character.card_stream, subjects=[character.subject])
