from collections.abc import Callable, Sequence
from typing import Any

from rolls.rules.dice import shown
from rulesets.storyteller.rules.pool import trait_pool, typed_pool
from rulesets.storyteller.rules.roll import (
    AUTOMATIC_SUCCESSES,
    Ask,
    Willpower,
    degree,
    may_succeed_automatically,
    resolve,
    spend_willpower,
)


def storyteller_roll(
    *, dice: Sequence[int], difficulty: int = 6, ability: int = 0, willpower: bool = False
) -> dict[str, Any]:
    faces = shown(dice)
    outcome = resolve(
        Ask(pool=typed_pool(len(faces), ability=ability), difficulty=difficulty, willpower=willpower), iter(faces)
    )
    return {
        "rolled_successes": outcome.successes,
        "ones": outcome.ones,
        "cancelled": outcome.cancelled,
        "net": outcome.net,
        "automatic": outcome.automatic,
        "total": outcome.total,
        "outcome": outcome.result,
        "degree": outcome.degree or None,
        "botch_severity": outcome.severity,
    }


def storyteller_pool(*, attribute: int, ability: int = 0, modifier: int = 0) -> int:
    return trait_pool(attribute=attribute, ability=ability, modifier=modifier).dice


def storyteller_automatic(*, attribute: int, ability: int = 0, difficulty: int = 6) -> dict[str, Any]:
    allowed = may_succeed_automatically(trait_pool(attribute=attribute, ability=ability), difficulty)
    return {"allowed": allowed, "successes": AUTOMATIC_SUCCESSES if allowed else 0}


def storyteller_spend_willpower(*, current: int, spent_this_turn: int = 0) -> dict[str, int]:
    after = spend_willpower(Willpower(current, spent_this_turn))
    return {"current": after.current, "spent_this_turn": after.spent_this_turn}


def storyteller_degree(*, total: int) -> str | None:
    return degree(total) or None


CALLS: dict[str, Callable[..., Any]] = {
    "storyteller_roll": storyteller_roll,
    "storyteller_pool": storyteller_pool,
    "storyteller_automatic": storyteller_automatic,
    "storyteller_spend_willpower": storyteller_spend_willpower,
    "storyteller_degree": storyteller_degree,
}
