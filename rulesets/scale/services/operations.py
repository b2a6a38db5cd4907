"""What all operations with Burns share: finding one under the lock, whose it is to act, and telling it as a step of its Scale."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from campaigns.errors import Blocked, Forbidden, NotFound
from campaigns.kinds import EventKind
from campaigns.live.presence import alive
from campaigns.models import Event, Membership
from campaigns.services.log import UnitOfWork
from characters.models import Character
from rulesets.scale.models import Burn, Scale
from rulesets.scale.queries.payloads import burn_payload, momentum_payload, player_of
from rulesets.scale.queries.scale import scale_payload
from rulesets.scale.rules.scale import Side, State
from rulesets.scale.services.undo_journal import Changes, keep, next_number

GONE = {
    Burn.State.OFFERED: "This Burn is no longer on offer.",
    Burn.State.BANKED: "This Burn is not in the bank any more.",
    Burn.State.FIRED: "What this Burn does is already settled.",
}


def burn_in(work: UnitOfWork, burn_id: UUID, state: Burn.State) -> Burn:
    """A Burn of this table that is in this state. Raises NotFound, or Blocked where somebody else was faster."""
    whole = Burn.objects.select_related("scale__character", "character__owner__user", "cause", "npc", "event__stream")
    burn = whole.filter(pk=burn_id, major=False, scale__campaign=work.campaign).first()
    if burn is None:
        raise NotFound
    if burn.state != state:
        raise Blocked(GONE[state])
    return burn


def sides_of(work: UnitOfWork, character: Character, *, waits: bool = False) -> frozenset[Side]:
    """The sides the actor may take: that of the character's player, and the GM's.

    The GM sits in the player's place for NPCs, and for characters whose player has left the table or only watches; where the
    table `waits` for an answer, also for one whose page is not open now.
    """
    player = player_of(character)
    sides = {Side.GM} if work.by.is_gm else set()
    if player == work.by or (work.by.is_gm and (player is None or (waits and _is_absent(player)))):
        sides.add(Side.PLAYER)
    return frozenset(sides)


def _is_absent(player: Membership) -> bool:
    return not alive(player.campaign_id).filter(membership=player).exists()


def must_be(work: UnitOfWork, character: Character, allowed: Iterable[Side], *, waits: bool = False) -> Side:
    """The side from which the actor does this. Raises Forbidden, saying whose choice it is."""
    allowed = frozenset(allowed)
    mine = sides_of(work, character, waits=waits) & allowed
    if not mine:
        player = player_of(character)
        whose = player.name if player and Side.PLAYER in allowed else "the GM"
        if player and waits and work.by.is_gm:
            raise Forbidden(f"{player.name} is at the table and decides this.")
        raise Forbidden(f"That is for {whose} to say.")
    return Side.PLAYER if Side.PLAYER in mine else Side.GM


def tell(
    work: UnitOfWork,
    kind: EventKind,
    changes: Changes,
    scale: Scale,
    *,
    burn: Burn | None = None,
    who: Character,
    state: State | None = None,
    **payload: Any,
) -> Event:
    """Record an operation and keep it as a step of the Scale, which is in `state` now. `who` is the character it is about."""
    number = next_number(scale)
    whole = payload | {
        "burns": [burn_payload(burn)] if burn else [],
        "scale": scale_payload(scale, state) | {"step": number},
        "momentum": momentum_payload([who]),
    }
    event = work.record(kind, whole, subjects=[who.subject], parent=burn.event if burn else None)
    keep(work, scale, changes, event=event, number=number, roll=burn.cause if burn else None)
    return event
