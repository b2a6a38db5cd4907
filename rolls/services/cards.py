"""What a roll's card says: the payload of `rolls.roll_made`, as rolls/_roll_card.html draws them, for ever as they were then."""

from __future__ import annotations

from typing import Any

from campaigns.models import Membership
from campaigns.models.log import person
from rolls.events import described
from rolls.models import Audience, Roll, Witness
from rolls.registry import kind_of


def roll_payload(roll: Roll) -> dict[str, Any]:
    """The card of a roll, without what add-ons did. `asides` say why some of them stayed out of it."""
    return {
        "roll": str(roll.pk),
        "system": roll.system,
        "character": roll.character.ref if roll.character else None,
        "who": person(roll.by),
        "kind": roll.kind,
        "note": roll.ask["note"],
        "outcome": roll.outcome["result"],
        "hand_rolled": roll.hand_rolled,
        "proof": roll.proof,
        "witness": witness_told(roll.proof, roll.audience, roll.by),
        "audience": roll.audience,
        "asides": roll.outcome.get("asides", []),
        "card": card(roll),
    } | _seldom(roll)


def _seldom(roll: Roll) -> dict[str, Any]:
    """What is told of few rolls: whose character a GM rolled for, and what a GM allowed though a state forbids it."""
    played_by, overridden = rolled_for(roll), roll.ask.get("overridden")
    fields = {"rolled_for": played_by} if played_by else {}
    return fields | ({"overridden": overridden} if overridden else {})


def rolled_for(roll: Roll) -> dict[str, Any] | None:
    """Whose character it is, where a GM rolled who does not play it."""
    whose = roll.character
    if whose is None or whose.owner is None or not roll.by.is_gm or roll.by in whose.players:
        return None
    return person(whose.owner)


def card(roll: Roll) -> dict[str, Any]:
    """What the card of a roll says by its ruleset."""
    return kind_of(roll).card(roll)


def words_of(roll: Roll) -> str:
    """The words that name a roll, by rules that are installed."""
    payload = {"system": roll.system, "kind": roll.kind, "outcome": roll.outcome["result"], "card": card(roll)}
    return str(described(payload)["words"])


def witness_told(proof: dict[str, Any] | None, audience: str, by: Membership) -> dict[str, Any] | None:
    """Who witnessed a GM's dice: {"by"}, a person or None; None where there is nothing to tell."""
    if proof is None or audience != Audience.TABLE or not by.is_gm:
        return None
    witness = Witness.objects.select_related("by__user").filter(pk=proof["roll"]).first()
    return {"by": person(witness.by) if witness.by else None} if witness else None
