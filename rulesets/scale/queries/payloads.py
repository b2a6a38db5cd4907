"""What events say of Burns and of what they left on characters, and what pages draw them from: the same dicts for both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import QuerySet

from campaigns.models import Membership, Role
from campaigns.models.log import person
from characters.models import Character
from rulesets.scale.models import Burn, BurnSeen, Momentum
from rulesets.scale.rules.scale import EFFECT_CHOSEN_BY, BurnKind, Side


def player_of(character: Character | None) -> Membership | None:
    """Who plays a character at the table now; None for an NPC, and for one whose player has left or only watches."""
    owner = character.owner if character else None
    if owner is None or owner.left_at or not Role(owner.role).at_least(Role.PLAYER):
        return None
    return owner


def chooser_side(burn: Burn) -> Side:
    """Which side chooses the effect (scale.txt, Voluntary Burn)."""
    return EFFECT_CHOSEN_BY[BurnKind(burn.kind)]


def burn_payload(burn: Burn) -> dict[str, Any]:
    """A Burn as events tell of it, absolute (rulesets/scale/words.py draws it).

    `whose` is the player it belongs to (None: the GM's), `chosen_by` "player" or "gm", `at` where its Scale stands.
    """
    player = player_of(burn.character)
    payload = {
        "id": str(burn.pk),
        "scale": str(burn.scale_id),
        "kind": burn.kind,
        "major": burn.major,
        "state": burn.state,
        "order": int(burn.at.timestamp() * 1000),
        "at": burn.scale.value,
        "whose": person(player) if player else None,
        "character": burn.character.ref,
        "chosen_by": chooser_side(burn).value,
        "effect": burn.effect,
        "words": burn.words if not burn.major else "",
        "npc": burn.npc.ref if burn.npc else None,
    }
    return payload | (_major(burn) if burn.major else {})


KEPT = (Burn.State.BANKED, Burn.State.FIRED, Burn.State.OPEN, Burn.State.DEFERRED, Burn.State.NARRATED)


def seen_in_order(rows: Any) -> QuerySet[BurnSeen]:
    """Who has seen Major Burns, with all that naming them needs. Pages read it for several at once, as `seen_read`."""
    ordered: QuerySet[BurnSeen] = rows.select_related("member__user").order_by("pk")
    return ordered


def _major(burn: Burn) -> dict[str, Any]:
    rows = burn.seen_read if hasattr(burn, "seen_read") else seen_in_order(burn.seen)
    seen = [person(row.member) for row in rows]
    return {
        "reached": burn.oracle.get("reached", 0),
        "oracles": burn.oracle.get("dice", []),
        "storyline": burn.storyline.title if burn.storyline else "",
        "narration": burn.words,
        "seen_by": seen,
        "seen_of": max(burn.oracle.get("asked", 0), len(seen)),
    }


def momentum_payload(characters: Iterable[Character]) -> list[dict[str, Any]]:
    """Return what Burns have left on characters, as scale/_momentum.html draws it."""
    characters = list(characters)
    momenta = {momentum.character_id: momentum for momentum in Momentum.objects.filter(character__in=characters)}
    return [carried_by(character, momenta.get(character.pk)) for character in characters]


def carried_by(character: Character, momentum: Momentum | None) -> dict[str, Any]:
    """Return what Burns have left on one character; None: nothing yet."""
    player, momentum = player_of(character), momentum or Momentum()
    return {
        "character": character.ref,
        "whose": person(player) if player else None,
        "die_modifier": momentum.die_modifier,
        "free_activations": momentum.free_activations,
    }
