"""What the card of a roll of pool against pool says: both pools pair by pair, what they cost, and what the winner may do."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from characters.models import Character
from rolls.models import Roll
from rulesets.descriptors.rules.contest import Decided, Outcome, Role, RolledDie, Side
from rulesets.descriptors.rules.power import Track, hit, may_take_injury
from rulesets.descriptors.settings import Settings

RESULTS = {Side.A: "win", Side.B: "loss", None: "stalemate"}

LOOKS = {
    Role.IGNORED: "ignored",
    Role.TARGET: "target",
    Role.SUCCESS: "success",
    Role.OVER: "success",
    Role.BELOW: "below",
}
"""How each die is drawn: what wins looks the same, by its face or by being there at all."""


def card(roll: Roll) -> dict[str, Any]:
    """What templates/descriptors/card.html draws beside what every card has."""
    ask, outcome = roll.ask, roll.outcome
    opponent = opponent_of(roll)
    versus = {"character": opponent.ref if opponent else None, "name": opponent.name if opponent else ask["versus"]}
    return {
        "a": _side(ask["a"], outcome["pairs"], Side.A),
        "b": _side(ask["b"], outcome["pairs"], Side.B) | versus,
        **{name: outcome[name] for name in ("winner", "successes", "target", "pairs", "after")},
        "done": done_words(roll),
    }


def done_words(roll: Roll) -> list[str]:
    """What has followed from it so far, a line each (`follows`)."""
    return [one["words"] for one in roll.outcome.get("follows", {}).values()]


def opponent_of(roll: Roll) -> Character | None:
    """The character on the other side, as it is now."""
    wanted = roll.ask["opponent"]
    if wanted is None:
        return None
    return Character.objects.select_related("owner__user").get(campaign=roll.campaign_id, pk=UUID(wanted))


def stored_outcome(outcome: Outcome, settings: Settings) -> dict[str, Any]:
    """An Outcome as the Roll keeps it. It names nobody: whoever was hidden when the dice fell may have another name by now."""
    result = RESULTS[outcome.winner]
    return {
        "result": result,
        "headline": result.capitalize(),
        "detail": detail(outcome),
        "winner": outcome.winner.value if outcome.winner else None,
        "successes": outcome.successes,
        "target": outcome.target_number,
        "dice": [_die(die) | {"side": side.value} for side in Side for die in outcome.dice(side)],
        "pairs": _pairs(outcome),
        "after": after(outcome.successes, settings) if outcome.winner else None,
    }


def detail(outcome: Outcome) -> str:
    """How many successes, and what decided."""
    if outcome.decided is Decided.STALEMATE:
        return "the same dice on both sides" if outcome.a else "no dice on either side"
    successes = "1 success" if outcome.successes == 1 else f"{outcome.successes} successes"
    if outcome.decided is Decided.BY_DIE:
        return f"{successes}, target number {outcome.target_number}"
    why = "every pair is equal, and more dice win" if outcome.ignored_pairs else "no dice against it"
    return f"{successes}: {why}"


def after(successes: int, settings: Settings) -> dict[str, Any]:
    """What may follow (descriptors.txt, "What does success do?"): the dice of the winner's Scene Descriptor, and what the loser
    takes whose Power track is free: the box, whether it is the last one, whether an Injury may take its place."""
    track = Track(settings.boxes)
    taken = hit(track, successes, settings=settings)
    instead = may_take_injury(track, successes, settings)
    return {"dice": successes, "box": taken.box, "last": taken.out, "injury_instead": instead}


def _side(side: dict[str, Any], pairs: list[dict[str, Any]], which: Side) -> dict[str, Any]:
    faces = [pair[which]["face"] for pair in pairs if pair[which]]
    return {"words": side["words"], "faces": faces, "costs": cost_words(side), "out": side["out"]}


def cost_words(side: dict[str, Any]) -> str:
    """What a side paid, or has to pay without a sheet that could, and what it gained: "2 Will paid, 1 gained"."""
    words = [f"{side['spent']} Will {'paid' if side['pays'] else 'to pay'}"] if side["spent"] else []
    if side["gained"]:
        gained = "gained" if side["pays"] else "to gain"
        words.append(f"{side['gained']} {gained}" if words else f"{side['gained']} Will {gained}")
    return ", ".join(words)


def _pairs(outcome: Outcome) -> list[dict[str, Any]]:
    """Dice of equal rank side by side, from the highest down; None where one side has no more. The first that differ decide."""
    ranked = {side: {die.rank: _die(die) for die in outcome.dice(side)} for side in Side}
    decides = outcome.ignored_pairs if outcome.winner else None
    return [
        {"a": ranked[Side.A].get(rank), "b": ranked[Side.B].get(rank), "decides": rank == decides}
        for rank in range(max(len(outcome.a), len(outcome.b)))
    ]


def _die(die: RolledDie) -> dict[str, Any]:
    return {"face": die.face, "look": LOOKS[die.role], "why": f"{die.role.value}: {die.why}"}
