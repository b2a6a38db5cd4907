"""Portraits and deletions in the campaign in which everything happens; a hidden NPC has a face of its own."""

from __future__ import annotations

from uuid import uuid4

from campaigns.models import Membership
from characters.models import Character
from characters.services import cards
from tests.canaries import canary
from tests.characters.operations import portrait_of


def give_faces(gm: Membership, silas: Character, npc: Character, hidden: Character) -> list[Character]:
    """Give them portraits. Return the three as they are then: the NPC's picture was changed for one of our faces."""
    found = [cards.set_portrait(gm, one, portrait_of("navy"), key=uuid4()) for one in (silas, npc, hidden)]
    return [found[0], cards.set_portrait(gm, found[1], "widow", key=uuid4()), found[2]]


def delete_mistakes(gm: Membership, player: Membership) -> None:
    mistakes = [(player, cards.Card("Mistake", "", player))]
    mistakes.append((gm, cards.Card(canary("gm", "deleted"), "", None, shown=False)))
    for by, card in mistakes:
        made = cards.make_character(by, card, key=uuid4())
        cards.delete_character(by, made, made.name, key=uuid4())
