"""What happens around new characters in the campaign in which everything happens once."""

from __future__ import annotations

from uuid import uuid4

from campaigns.models import Membership
from characters.models import Character, CharacterTemplate
from characters.services import creation
from characters.services import creation as making
from characters.services.cards import Card


def creation_happens(gm: Membership, mo: Membership, npc: Character, hidden: Character) -> CharacterTemplate:
    """Create characters. Return the template of a hidden NPC, which only GMs may use; another was offered to players and used."""
    making.change_creation(gm, {"forged": {"actions": 8}}, key=uuid4())
    card = Card("Ilka", "", mo)
    making.make_guided(mo, card, {"hunt": 2, "sway": 1}, system="forged", key=uuid4())
    offered = creation.keep_template(gm, npc, key=uuid4())
    offered = creation.change_template(gm, offered, name="Owner", offered=True, key=uuid4())
    making.make_from_template(mo, offered, Card("Dorina", "", mo), key=uuid4())
    gone = creation.keep_template(gm, npc, key=uuid4())
    creation.drop_template(gm, gone.pk, key=uuid4())
    return creation.keep_template(gm, hidden, key=uuid4())
