"""What events say of Burns and of what they left on characters, and what pages draw them from: the same dicts for both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns.models import Membership, Role
from campaigns.numbers import signed
from campaigns.services.log import person
from characters.models import Character
from rulesets.scale.models import Burn, Momentum
from rulesets.scale.rules.scale import EFFECT_CHOSEN_BY, BurnKind, Side

KINDS = {Burn.Kind.GRACE: "Grace", Burn.Kind.TROUBLE: "Trouble"}


def player_of(character: Character | None) -> Membership | None:
    """Who plays a character at the table now; None for an NPC, and for one whose player has left or only watches."""
    owner = character.owner if character else None
    if owner is None or owner.left_at or not Role(owner.role).at_least(Role.PLAYER):
        return None
    return owner


def chooser_side(burn: Burn) -> Side:
    """Which side chooses the effect (scale.txt, Voluntary Burn)."""
    return EFFECT_CHOSEN_BY[BurnKind(burn.kind)]


def burn_facts(burn: Burn) -> dict[str, Any]:
    """A Burn as the includes scale/_offer.html, _burn.html and _major_burn.html draw it, absolute.

    `whose` is the player it belongs to (None: the GM's), `chosen_by` "player" or "gm". `state` decides where it stands:
    `waits` among the offers, `kept` in the list of Burns, `stops` as a Major Burn that is not narrated yet.
    """
    player = player_of(burn.character)
    facts = {
        "id": str(burn.pk),
        "scale": str(burn.scale_id),
        "kind": burn.kind,
        "major": burn.major,
        "state": burn.state,
        "order": int(burn.at.timestamp() * 1000),
        "title": _title(burn),
        "sentence": _sentence(burn),
        "state_words": _state_words(burn),
        "whose": person(player) if player else None,
        "character": burn.character.ref,
        "chosen_by": chooser_side(burn).value,
        "effect": burn.effect,
        "words": burn.words if not burn.major else "",
        "npc": burn.npc.ref if burn.npc else None,
        "waits": burn.state in (Burn.State.OFFERED, Burn.State.FIRED),
        "kept": burn.state in KEPT,
        "stops": burn.state in (Burn.State.OPEN, Burn.State.DEFERRED),
    }
    return facts | (_major(burn) if burn.major else {})


KEPT = (Burn.State.BANKED, Burn.State.FIRED, Burn.State.OPEN, Burn.State.DEFERRED, Burn.State.NARRATED)


def _major(burn: Burn) -> dict[str, Any]:
    seen = [person(seen.member) for seen in burn.seen.select_related("member__user").order_by("pk")]
    return {
        "cause": _cause(burn),
        "oracles": burn.oracle.get("dice", []),
        "storyline": burn.storyline.title if burn.storyline else "",
        "narration": burn.words,
        "deferred": burn.state == Burn.State.DEFERRED,
        "seen_by": seen,
        "seen_of": max(burn.oracle.get("asked", 0), len(seen)),
    }


def _title(burn: Burn) -> str:
    kind = KINDS[Burn.Kind(burn.kind)]
    if burn.major:
        return f"Major {kind}"
    titles = {
        Burn.State.OFFERED: f"{kind} Burn available.",
        Burn.State.FIRED: f"{kind} burns.",
        Burn.State.BANKED: f"Banked {kind}",
    }
    return titles.get(Burn.State(burn.state), f"{kind} Burn")


def _sentence(burn: Burn) -> str:
    """One line on what is to be done about it now."""
    name = burn.character.name
    if burn.state == Burn.State.OFFERED:
        return f"{name} tipped the Scale to {signed(burn.scale.value)}. Take it now, or bank it."
    if burn.state == Burn.State.FIRED and burn.effect:
        return f"{name} would use a Discipline freely. The GM says whether it is plausible."
    if burn.state == Burn.State.FIRED:
        who = "The GM chooses" if chooser_side(burn) is Side.GM else f"The player of {name} chooses"
        return f"{who} what it does."
    return ""


def _state_words(burn: Burn) -> str:
    words = {
        Burn.State.FIRED: "effect to be chosen",
        Burn.State.OPEN: "to be narrated",
        Burn.State.DEFERRED: "to be narrated later",
        Burn.State.NARRATED: "narrated",
    }
    return words.get(Burn.State(burn.state), "")


def _cause(burn: Burn) -> str:
    name = burn.character.name
    reached = signed(burn.oracle.get("reached", 0))
    return f"{name}’s roll took the Scale to {reached}. It cannot be declined or banked; the Scale is back at 0."


def momentum_facts(characters: Iterable[Character]) -> list[dict[str, Any]]:
    """What Burns have left on characters, as scale/_momentum.html draws it."""
    characters = list(characters)
    found = {momentum.character_id: momentum for momentum in Momentum.objects.filter(character__in=characters)}
    return [_momentum(character, found.get(character.pk, Momentum())) for character in characters]


def _momentum(character: Character, momentum: Momentum) -> dict[str, Any]:
    player = player_of(character)
    return {
        "character": character.ref,
        "whose": person(player) if player else None,
        "die_modifier": momentum.die_modifier,
        "free_activations": momentum.free_activations,
    }
