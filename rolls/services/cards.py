"""What a roll's card says: the facts of `rolls.roll_made`, as rolls/_roll_card.html draws them, for ever as they were then."""

from __future__ import annotations

from typing import Any

from campaigns.models import Membership
from campaigns.services.log import person
from rolls.models import Audience, Roll, Scale, Witness
from rolls.services.scale import Move, scale_facts
from rolls.services.systems import SYSTEMS

AUDIENCE_WORDS = {
    Audience.TABLE: "",
    Audience.SELF: "seen by the GM and the one who rolled",
    Audience.GM: "seen by the GM alone",
}


def roll_facts(roll: Roll) -> dict[str, Any]:
    """The card of a roll that moved no Scale; `scale` is for the moved_facts of one that did."""
    outcome = roll.outcome
    return SYSTEMS[roll.system].card(roll) | {
        "roll": str(roll.pk),
        "system": roll.system,
        "character": roll.character.ref if roll.character else None,
        "who": person(roll.by),
        "kind": roll.kind,
        "words": roll.ask["words"],
        "note": roll.ask["note"],
        "outcome": outcome["result"],
        "headline": outcome["headline"],
        "detail": outcome["detail"],
        "hand_rolled": roll.hand_rolled,
        "proof": roll.proof,
        "witness": witness_told(roll.proof, roll.audience, roll.by),
        "audience": roll.audience,
        "audience_words": AUDIENCE_WORDS[Audience(roll.audience)],
        "scale": None,
    }


def witness_told(proof: dict[str, Any] | None, audience: str, by: Membership) -> dict[str, Any] | None:
    """Who witnessed a GM's dice: {"by"}, a person or None; None where there is nothing to tell."""
    if proof is None or audience != Audience.TABLE or not by.is_gm:
        return None
    witness = Witness.objects.select_related("by__user").filter(pk=proof["roll"]).first()
    return {"by": person(witness.by) if witness.by else None} if witness else None


def moved_facts(scale: Scale, move: Move) -> dict[str, Any]:
    """A Scale as it is now, and the move that brought it there: `before` + `delta` is what it reached, `after` where it is."""
    return scale_facts(scale) | {"before": move.before, "delta": move.delta, "after": scale.value}
