"""What a roll's card says: the facts of `rolls.roll_made`, as rolls/_roll_card.html draws them, for ever as they were then."""

from __future__ import annotations

from typing import Any

from campaigns.models import Membership
from campaigns.services.log import person
from rolls.models import Audience, Roll, Witness
from rolls.registry import table_of

AUDIENCE_WORDS = {
    Audience.TABLE: "",
    Audience.SELF: "seen by the GM and the one who rolled",
    Audience.GM: "seen by the GM alone",
}


def roll_facts(roll: Roll) -> dict[str, Any]:
    """The card of a roll, without what add-ons did. `asides` say why some of them stayed out of it."""
    outcome = roll.outcome
    return table_of(roll.system).card(roll) | {
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
        "asides": outcome.get("asides", []),
    }


def witness_told(proof: dict[str, Any] | None, audience: str, by: Membership) -> dict[str, Any] | None:
    """Who witnessed a GM's dice: {"by"}, a person or None; None where there is nothing to tell."""
    if proof is None or audience != Audience.TABLE or not by.is_gm:
        return None
    witness = Witness.objects.select_related("by__user").filter(pk=proof["roll"]).first()
    return {"by": person(witness.by) if witness.by else None} if witness else None
