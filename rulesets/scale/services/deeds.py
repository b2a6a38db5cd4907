"""What all deeds with Burns share: finding one under the lock, whose it is to act, and telling it as a step of its Scale."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from campaigns.errors import Forbidden, Missing, Waiting
from campaigns.kinds import EventKind
from campaigns.models import Event
from campaigns.services.log import Table
from characters.models import Character
from rulesets.scale.models import Burn, Scale
from rulesets.scale.rules.scale import Side
from rulesets.scale.services.facts import burn_facts, momentum_facts, player_of
from rulesets.scale.services.ledger import Changes, keep, next_number
from rulesets.scale.services.scale import scale_facts

GONE = {
    Burn.State.OFFERED: "This Burn is no longer on offer.",
    Burn.State.BANKED: "This Burn is not in the bank any more.",
    Burn.State.FIRED: "What this Burn does is already settled.",
}


def burn_in(table: Table, burn_id: UUID, state: Burn.State) -> Burn:
    """A Burn of this table that is in this state. Raises Missing, or Waiting where somebody else was faster."""
    whole = Burn.objects.select_related("scale__character", "character__owner__user", "cause", "npc", "event")
    burn = whole.filter(pk=burn_id, major=False, scale__campaign=table.campaign).first()
    if burn is None:
        raise Missing
    if burn.state != state:
        raise Waiting(GONE[state])
    return burn


def sides_of(table: Table, character: Character) -> frozenset[Side]:
    """The sides the actor may take: that of the character's player, and the GM's.

    The GM sits in the player's place for NPCs, and for characters whose player has left the table or only watches.
    """
    player = player_of(character)
    sides = {Side.GM} if table.by.is_gm else set()
    if player == table.by or (player is None and table.by.is_gm):
        sides.add(Side.PLAYER)
    return frozenset(sides)


def must_be(table: Table, character: Character, allowed: Iterable[Side]) -> Side:
    """The side from which the actor does this. Raises Forbidden, saying whose choice it is."""
    allowed = frozenset(allowed)
    mine = sides_of(table, character) & allowed
    if not mine:
        player = player_of(character)
        whose = player.name if player and Side.PLAYER in allowed else "the GM"
        raise Forbidden(f"That is for {whose} to say.")
    return Side.PLAYER if Side.PLAYER in mine else Side.GM


def tell(
    table: Table,
    kind: EventKind,
    changes: Changes,
    scale: Scale,
    *,
    burn: Burn | None = None,
    who: Character,
    **facts: Any,
) -> Event:
    """Record a deed and keep it as a step of the Scale. `who` is the character it is about."""
    number = next_number(scale)
    whole = facts | {
        "burns": [burn_facts(burn)] if burn else [],
        "scale": scale_facts(scale) | {"step": number},
        "momentum": momentum_facts([who]),
    }
    event = table.record(kind, whole, about=[who.about], amends=burn.event if burn else None)
    keep(table, scale, changes, event=event, number=number, roll=burn.cause if burn else None)
    return event
